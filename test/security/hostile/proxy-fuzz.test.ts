import { expect, test } from 'vitest';
import { fuzzProxy } from '../../support/fuzz-proxy.ts';

const STATUS_LINES = ['099 Nope', '000 None', '101 Switching Protocols', '600 Odd', '999 Odd', '1000 Odd'];

test('a status line that HTTP does not have is a bad gateway for the browser (finding V01)', async () => {
  const responses = STATUS_LINES.map((line) => `HTTP/1.1 ${line}\r\ncontent-length: 0\r\n\r\n`);
  const { statuses, failures, uncaught } = await fuzzProxy(responses.length, { responses });
  expect({ failures, uncaught }).toEqual({ failures: [], uncaught: [] });
  expect(statuses).toEqual({ 502: STATUS_LINES.length });
});

test('raw status lines and headers end in a response or a close (finding V01)', async () => {
  const { statuses, failures, uncaught } = await fuzzProxy(400);
  expect({ failures, uncaught }).toEqual({ failures: [], uncaught: [] });
  // Neither all rejected nor all accepted: the inputs reach both ways.
  expect(statuses['200']).toBeGreaterThan(0);
  expect(statuses['502']).toBeGreaterThan(0);
});
