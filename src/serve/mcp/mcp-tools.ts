// The actions that are MCP tools, and their schemas in a form that every client accepts: one type per field, no references,
// no unions, no keywords that some client rejects. What the schema omits is still checked when the tool is called.

import { z } from 'zod';
import { leavesLibrary, type Action, type McpBinding } from '../../actions/action.ts';
import { actionList } from '../../actions/actions.ts';

export interface McpTool {
  readonly action: Action;
  readonly binding: McpBinding;
}

export const MCP_TOOLS: readonly McpTool[] = actionList.flatMap((action) => {
  const binding = action.bindings.mcp;
  return binding === undefined ? [] : [{ action, binding }];
});

/** As a client sees it. */
export interface ToolDefinition {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta?: Record<string, unknown>;
}

export function toolDefinition({ action, binding }: McpTool): ToolDefinition {
  const { title, description, fixedInput = {}, alwaysLoad, hints = [] } = binding;
  const inputSchema = toolInputSchema(action.input, Object.keys(fixedInput));
  const isReadOnly = leavesLibrary(action.effect);
  const annotations = {
    readOnlyHint: isReadOnly,
    // Both have no meaning for a tool that only reads.
    ...(isReadOnly
      ? {}
      : { destructiveHint: hints.includes('destructive'), idempotentHint: hints.includes('idempotent') }),
    openWorldHint: action.effect === 'network' || hints.includes('open-world'),
  };
  const meta = alwaysLoad === true ? { _meta: { 'anthropic/alwaysLoad': true } } : {};
  return { title, description, inputSchema, outputSchema: toolOutputSchema(action.output), annotations, ...meta };
}

type Schema = { readonly [key: string]: unknown };
type Fields = Readonly<Record<string, Schema>>;

const ALLOWED_KEYWORDS: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'items', 'properties']);

function toolInputSchema(input: z.ZodType, omitted: readonly string[]): Schema {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as {
    properties?: Fields;
    required?: string[];
  };
  const fields = Object.entries(properties).filter(([name]) => !omitted.includes(name));
  const requiredFields = required.filter((name) => !omitted.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, inputField(field)])),
    ...(requiredFields.length > 0 ? { required: requiredFields } : {}),
    additionalProperties: false,
  };
}

function inputField(schema: Schema): Schema {
  const whole = { ...schema, ...variantOf(schema) };
  const description = describeField(whole);
  const described: Schema = { ...whole, ...(description === '' ? {} : { description }) };
  const entries = Object.entries(described).filter(([key]) => ALLOWED_KEYWORDS.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'items' ? inputField(value as Schema) : value]),
  );
}

/** Bounds and default are part of the description, because some clients reject the keywords for them. */
function describeField({ description = '', default: usual, minimum, maximum }: Schema): string {
  const limits = [
    ...(isLimit(minimum) && isLimit(maximum) ? [`${minimum} to ${maximum}`] : []),
    ...(typeof usual === 'number' || (typeof usual === 'string' && usual !== '') ? [`default ${usual}`] : []),
  ];
  return limits.length === 0 ? String(description) : `${String(description)} (${limits.join(', ')})`.trim();
}

/** The schema of any integer has the largest safe ones as limits. */
function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** The variant of a nullable field that is not null. */
function variantOf({ type, anyOf }: { readonly type?: unknown; readonly anyOf?: readonly Schema[] }): Schema {
  if (Array.isArray(type)) return { type: type.find((one) => one !== 'null') };
  return anyOf?.find((variant) => variant['type'] !== 'null') ?? {};
}

/**
 * Short, because every client pays for the list of tools: without descriptions, with the first list of objects spelled out as the
 * only list, and without what has no simple type, which can be seen in the result itself. A nullable field of a list item would have
 * two types; one of the result is left out where it is null, see `withoutNulls`.
 */
function toolOutputSchema(output: z.ZodType): Schema {
  const { properties = {} } = z.toJSONSchema(output, { io: 'input' }) as { properties?: Fields };
  const fields = Object.entries(properties).map(([name, field]) => [name, { ...field, ...variantOf(field) }] as const);
  const main = fields.find(([, field]) => itemSchema(field) !== null)?.[0];
  const described = fields.flatMap(([name, field]) => {
    const item = name === main ? itemSchema(field) : null;
    if (item !== null) return [[name, { type: 'array', items: describeItem(item) }] as const];
    return field.type === 'array' ? [] : simpleField(name, field);
  });
  return { type: 'object', properties: Object.fromEntries(described) };
}

/** `next` is missing at the end: one type per field is all that every client accepts. */
export function withoutNulls(result: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== null));
}

/** The items of a list of objects; null for anything else. */
function itemSchema({ type, items }: { readonly type?: unknown; readonly items?: unknown }): Schema | null {
  const inner = (items ?? {}) as Schema;
  return type === 'array' && inner['type'] === 'object' ? inner : null;
}

function describeItem({ properties = {} }: { readonly properties?: Fields }): Schema {
  const fields = Object.entries(properties).flatMap(([name, field]) => simpleField(name, field));
  return { type: 'object', properties: Object.fromEntries(fields) };
}

const SIMPLE_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);

/** A value of a simple type, or a list of such values; otherwise nothing. */
function simpleField(name: string, { type, items }: Schema): ReadonlyArray<readonly [string, Schema]> {
  if (SIMPLE_TYPES.has(type)) return [[name, { type }]];
  const itemType = type === 'array' ? (items as Schema | undefined)?.['type'] : undefined;
  return SIMPLE_TYPES.has(itemType) ? [[name, { type, items: { type: itemType } }]] : [];
}
