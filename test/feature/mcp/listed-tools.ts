// The tools as a client sees them, without a library.

import { ANONYMOUS } from '../../../src/platform/access-token.ts';
import { createMcpEndpoint } from '../../../src/serve/mcp/mcp-transports.ts';

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta?: Schema;
}

export type Schema = Readonly<Record<string, unknown>>;

const call = (): Promise<never> => Promise.reject(new Error('nothing is called'));

export async function listedTools(writeTools: boolean): Promise<readonly ListedTool[]> {
  const endpoint = createMcpEndpoint({
    call,
    version: '0.0.0',
    writeTools,
    changes: { take: () => 0 },
    onError: () => undefined,
    now: Date.now,
  });
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(body) });
  const response = await endpoint.fetch(request, { principal: ANONYMOUS, call, body });
  const line = /^data: (.+)$/m.exec(await response.text())?.[1] ?? '';
  await endpoint.close();
  return (JSON.parse(line) as { result: { tools: ListedTool[] } }).result.tools;
}
