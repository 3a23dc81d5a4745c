// MCP requests as plain HTTP, in both versions of the protocol.

export const MODERN = '2026-07-28';

export interface RpcResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON-RPC message; undefined if there is none. */
  readonly message:
    | { result?: Record<string, unknown>; error?: { code: number; message: string; data?: unknown } }
    | undefined;
}

/** A request of the older protocol: no envelope, no session. */
export function sendLegacy(url: string, method: string, params: object = {}, headers: Record<string, string> = {}) {
  return post(url, { jsonrpc: '2.0', id: 1, method, params }, headers);
}

/** A request of the newer protocol: headers and envelope describe it. */
export function sendModern(
  url: string,
  method: string,
  params: object = {},
  { version = MODERN, ...headers }: Record<string, string | null> = {},
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { name } = params as { name?: string };
  const own = {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
    ...headers,
  };
  const provided = Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== null);
  return post(url, { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }, Object.fromEntries(provided));
}

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<RpcResponse> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, message: messageOf(text) };
}

function messageOf(text: string): RpcResponse['message'] {
  const line = text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '');
  return line === '' ? undefined : (JSON.parse(line) as RpcResponse['message']);
}

interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

export async function callTool(
  url: string,
  name: string,
  args: object,
  headers: Record<string, string> = {},
): Promise<ToolAnswer> {
  const { message, text } = await sendLegacy(url, 'tools/call', { name, arguments: args }, headers);
  if (message?.result === undefined) throw new Error(`no result: ${text}`);
  return message.result as unknown as ToolAnswer;
}

export async function toolNames(url: string, headers: Record<string, string> = {}): Promise<string[]> {
  return (await listTools(url, headers)).map(({ name }) => name);
}

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
}

export async function listTools(url: string, headers: Record<string, string> = {}): Promise<readonly ListedTool[]> {
  const { message } = await sendLegacy(url, 'tools/list', {}, headers);
  return (message?.result?.['tools'] ?? []) as ListedTool[];
}
