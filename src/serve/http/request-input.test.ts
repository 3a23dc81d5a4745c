import { expect, test } from 'vitest';
import { readJsonBody } from './request-input.ts';

const post = (body: ReadableStream<Uint8Array> | string): Request =>
  new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    ...(typeof body === 'string' ? {} : { duplex: 'half' }),
  });

test('a body that ends early or is not HTTP is the fault of its client (finding V32)', async () => {
  const parts = [new TextEncoder().encode('{"query":')];
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
      else controller.enqueue(part);
    },
  });
  await expect(readJsonBody(post(broken), () => undefined)).rejects.toMatchObject({
    code: 'input.invalid',
    message: 'the body ended early',
  });
  expect(await readJsonBody(post('{"query":"pool"}'), () => undefined)).toEqual({ query: 'pool' });
});
