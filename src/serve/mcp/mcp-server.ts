// The MCP server: one factory for both protocol eras and both transports. It keeps no state between requests.

import {
  McpServer,
  ResourceTemplate,
  type AuthInfo,
  type McpServerFactory,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { leavesLibrary } from '../../actions/action.ts';
import { PinakesError, pinakesError, type ErrorCode } from '../../core/model/errors.ts';
import { createLruCache } from '../../core/lru-cache.ts';
import type { SourceRights } from '../../core/model/source-rights.ts';
import { issueText } from '../../core/text/issue-text.ts';
import type { CallAction, ActionCallOptions } from '../call-action.ts';
import { redactLocalPaths } from '../redact-local-paths.ts';
import { parseTypedFields } from '../input-types.ts';
import { toPublicError } from '../public-error.ts';
import type { RateLimit } from '../rate-limit.ts';
import { cacheMs, createListedSources, type ListedSources } from './listed-sources.ts';
import { cleanLine } from '../../core/extract/decode/clean-text.ts';
import { DATA_LABEL, resultText, withoutNulls } from './result-text.ts';
import { serverInstructions } from './server-instructions.ts';
import type { UsedSources } from './recent-sources.ts';
import { MCP_TOOLS, namedInputs, toolDefinition, type McpTool, type ToolDefinition } from './mcp-tools.ts';

export interface McpDeps {
  /** Never has access to local files. */
  readonly call: CallAction;
  readonly version: string;
  readonly writeTools: boolean;
  /** How often each client may change the library. */
  readonly changes: Pick<RateLimit, 'take'>;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
  /** Whether the calls are limited to the packages of a project. */
  readonly isProject?: boolean;
  /** Adds tools to each server that are not part of the product. */
  readonly extend?: (server: McpServer) => void;
}

/** Tools and prompts change with the program or its settings only. What is indexed changes at any time, so it is not cached. */
const CACHE_HINTS = {
  'tools/list': { ttlMs: 3_600_000 },
  'prompts/list': { ttlMs: 3_600_000 },
  'resources/templates/list': { ttlMs: 3_600_000 },
};

/** The client name of a caller without a token. */
const ANONYMOUS = 'local';

/** `usedSources` only where all calls come from one client. */
export function createMcpServerFactory(deps: McpDeps, usedSources: UsedSources | null = null): McpServerFactory {
  const definitionOf = createToolDefinitions();
  const listedFor = createListedSourcesByRights(deps);
  return async ({ authInfo }) => {
    const { call, sources, client, mayChange } = callerOf(authInfo, deps);
    const listedSources = listedFor(sources);
    const mayAdd = deps.writeTools && mayChange;
    const instructions = serverInstructions(await listedSources(), { isProject: deps.isProject, mayAdd });
    const options = { instructions, cacheHints: CACHE_HINTS };
    const server = new McpServer({ name: 'pinakes', version: deps.version }, options);
    const callContext: CallContext = { deps, call, client, mayChange, usedSources };
    const refusalOf = ({ action, binding }: McpTool): ErrorCode | null => {
      if (binding.tools === 'opt-in' && !deps.writeTools) return 'mcp.writes-disabled';
      return action.effect !== 'read' && !mayChange ? 'mcp.role-required' : null;
    };
    const offered = MCP_TOOLS.filter((tool) => refusalOf(tool) === null);
    for (const tool of MCP_TOOLS) {
      const { name } = tool.action;
      const refusal = refusalOf(tool);
      if (refusal === null) {
        const definition = definitionOf(tool);
        server.registerTool(
          name,
          { ...definition, ...validatedSchemas(tool, definition) },
          async (input: unknown, context: ServerContext) => callTool(tool, input, context, callContext),
        );
      } else {
        const { title, description } = tool.binding;
        server.registerTool(name, { title, description }, () => errorResult(pinakesError(refusal, { tool: name })));
      }
    }
    // A refused tool is not listed, but says how to enable it.
    if (offered.length < MCP_TOOLS.length) {
      const listed = offered.map((tool) => ({ name: tool.action.name, ...definitionOf(tool) }));
      // The types of the SDK are narrower than JSON.
      server.server.setRequestHandler('tools/list', () => ({ tools: listed as unknown as Tool[] }));
    }
    addResources(server, { call, now: deps.now, onError: deps.onError }, listedSources);
    addPrompts(server);
    deps.extend?.(server);
    return server;
  };
}

/** Computed once for all servers, and only for tools that a client may call: their schemas take most of the time to start. */
function createToolDefinitions(): (tool: McpTool) => ToolDefinition {
  const definitions = new Map<McpTool, ToolDefinition>();
  return (tool) => {
    const definition = definitions.get(tool) ?? toolDefinition(tool);
    definitions.set(tool, definition);
    return definition;
  };
}

interface McpCaller {
  readonly call: CallAction;
  readonly sources: SourceRights;
  /** Name of its token. */
  readonly client: string;
  readonly mayChange: boolean;
}

/** A program that mounts the server authenticates its own callers, who have rights to all sources. */
function callerOf(authInfo: AuthInfo | undefined, { call }: McpDeps): McpCaller {
  if (authInfo === undefined) return { call, sources: null, client: ANONYMOUS, mayChange: true };
  const ours = (authInfo.extra ?? {}) as Partial<Pick<McpCaller, 'call' | 'sources'>>;
  const mayChange = authInfo.scopes.includes('admin');
  return { call: ours.call ?? call, sources: ours.sources ?? null, client: authInfo.clientId, mayChange };
}

/** Number of different rights whose sources are cached. */
const MAX_RIGHTS = 100;

export function createListedSourcesByRights(deps: McpDeps): (rights: SourceRights) => ListedSources {
  const known = createLruCache<string, ListedSources>(MAX_RIGHTS);
  return (sources) => {
    const key = JSON.stringify(sources);
    const listed =
      known.get(key) ??
      createListedSources((...[name, input, options]) => deps.call(name, input, { ...options, sources }), deps);
    known.set(key, listed);
    return listed;
  };
}

type Validate = z.ZodType['~standard']['validate'];

/** Clients see the simplified schema; calls are validated against the action's own schema. */
function validatedSchemas(tool: McpTool, { inputSchema, outputSchema }: ToolDefinition) {
  const { input } = tool.action;
  const validateInput: Validate = (value) => {
    const parsed = input.safeParse(parseTypedFields(input, namedInputs(tool, value)));
    if (parsed.success) return { value: parsed.data };
    return { issues: parsed.error.issues.map((issue) => ({ ...issue, message: issueText(issue) })) };
  };
  return {
    inputSchema: standardSchema(inputSchema, validateInput),
    // A result is of its own schema already, and lacks what is null.
    outputSchema: standardSchema(outputSchema, (value) => ({ value })),
  };
}

function standardSchema(schema: Record<string, unknown>, validate: Validate) {
  const jsonSchema = { input: () => schema, output: () => schema };
  return { '~standard': { version: 1 as const, vendor: 'pinakes', validate, jsonSchema } };
}

interface CallContext {
  readonly deps: McpDeps;
  readonly call: CallAction;
  /** Name of its token. */
  readonly client: string;
  readonly mayChange: boolean;
  readonly usedSources: UsedSources | null;
}

async function callTool(
  { action, binding }: McpTool,
  input: unknown,
  context: ServerContext,
  { deps, call, client, mayChange, usedSources }: CallContext,
) {
  try {
    const seconds = leavesLibrary(action.effect) ? 0 : deps.changes.take(client);
    if (seconds > 0) throw pinakesError('http.rate-limited', { seconds });
    const provided = input as object;
    const toolInput = { ...provided, ...binding.fixedInput, ...usedSources?.inputFor(action.name, provided) };
    const called = await call(action.name, toolInput, callOptions(context));
    const result = mayChange ? called : redactLocalPaths(action.name, called);
    usedSources?.note(action.name, provided, result as object);
    const text = resultText(action.name, result);
    return { content: [{ type: 'text' as const, text }], structuredContent: withoutNulls(result as object) };
  } catch (error) {
    if (!(error instanceof PinakesError)) deps.onError(error);
    return errorResult(error);
  }
}

function errorResult(error: unknown) {
  return { isError: true, content: [{ type: 'text' as const, text: errorText(error) }] };
}

function errorText(error: unknown): string {
  if (!(error instanceof PinakesError)) return 'Internal error. See the server log for details.';
  const { message, nextStep } = toPublicError(error, 'agent');
  // It may name similar sources and pages.
  const line = cleanLine(`${message}.${nextStep === null ? '' : ` ${nextStep}.`}`);
  return QUOTING.has(error.code) ? `${DATA_LABEL}\n${line}` : line;
}

/** Errors that repeat what pages wrote: their headings and URLs. */
const QUOTING: ReadonlySet<ErrorCode> = new Set(['page.ambiguous', 'page.unknown', 'section.unknown']);

/** Progress is sent only to a client that passed a progress token. */
function callOptions({ mcpReq }: ServerContext): ActionCallOptions {
  const { signal, _meta: meta } = mcpReq;
  const token = meta?.progressToken;
  if (token === undefined) return { signal };
  return {
    signal,
    onProgress({ step, done, total }) {
      const params = { progressToken: token, progress: done, total, message: step };
      void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

const PAGE_URI = 'pinakes://page/{source}/{+url}';

/** The largest part of a page that one result may contain. */
const RESOURCE_BUDGET_TOKENS = 8000;

const RESOURCE_TYPE = 'text/markdown';

/** Pages of the library as MCP resources, with the label, the fence and the flags of read_docs: the text is just as untrusted. */
function addResources(
  server: McpServer,
  { call, now, onError }: Pick<McpDeps, 'call' | 'now' | 'onError'>,
  listedSources: ListedSources,
): void {
  server.registerResource(
    'page',
    new ResourceTemplate(PAGE_URI, { list: undefined }),
    { title: 'A page of indexed documentation', mimeType: RESOURCE_TYPE },
    async (uri, { source, url }) => {
      const input = { source: String(source), target: String(url), budget: RESOURCE_BUDGET_TOKENS };
      const page = await call('read_docs', input).catch((error: unknown) => {
        if (!(error instanceof PinakesError)) onError(error);
        // The SDK sends the message of an error as it is.
        throw new Error(errorText(error), { cause: error });
      });
      const text = resultText('read_docs', page);
      const known = (await listedSources())?.find((one) => one.source === source);
      return { contents: [{ uri: uri.href, mimeType: RESOURCE_TYPE, text }], ttlMs: cacheMs(known, now()) };
    },
  );
}

/** Prompts that a user can choose in an assistant. */
function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'add-documentation',
    {
      title: 'Add documentation to the library',
      description: 'Plan and start the crawl of a documentation site',
      argsSchema: z.object({ url: z.string().describe('Start URL of the documentation') }),
    },
    ({ url }) => ({
      messages: [
        {
          role: 'user' as const,
          content: {
            type: 'text' as const,
            text: `Add the documentation at ${url} to Pinakes. If the tools plan_source and add_source are available: plan first, show what would be fetched and excluded, then add it, and follow crawl_status until the run has ended. Otherwise tell me to run: pinakes add ${url} --wait`,
          },
        },
      ],
    }),
  );
}
