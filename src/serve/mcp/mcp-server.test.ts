import { expect, test } from 'vitest';
import { pinakesError } from '../../core/model/errors.ts';
import { ANONYMOUS } from '../../platform/access-token.ts';
import type { CallAction } from '../call-action.ts';
import { createMcpEndpoint } from './mcp-transports.ts';

/** What a client is told when the page cannot be read for this reason. */
async function messageFor(failure: Error): Promise<{ readonly message: string; readonly logged: readonly unknown[] }> {
  const logged: unknown[] = [];
  const call: CallAction = async (action) => {
    if (action === 'read_docs') throw failure;
    return { sources: [] };
  };
  const endpoint = createMcpEndpoint({
    call,
    version: '0.0.0',
    writeTools: false,
    changes: { take: () => 0 },
    onError: (error) => void logged.push(error),
    now: () => 0,
  });
  const body = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'pinakes://page/guide/a.md' } };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  });
  const response = await endpoint.fetch(request, { principal: ANONYMOUS, call, body });
  const message = await response.text();
  await endpoint.close();
  return { message, logged };
}

test('a resource that cannot be read says no more than a tool does (finding V37)', async () => {
  const internal = await messageFor(new Error('row (payroll, 12345) at /var/lib/pinakes.db'));
  expect(internal.message).toContain('Internal error. See the server log for details.');
  expect(internal.message).not.toContain('12345');
  expect(internal.logged).toHaveLength(1);
  const database = await messageFor(pinakesError('database.rejected', { reason: 'row (payroll, 12345)' }));
  expect(database.message).not.toContain('12345');
  const unknown = await messageFor(pinakesError('source.unknown', { source: 'guide' }));
  expect(unknown.message).toContain('There is no source guide');
});
