import { expect, test } from 'vitest';
import { fuzzServer } from './fuzzed-server.ts';

test('odd requests to every route end in a response below 500, and the server serves on', async () => {
  const { statuses, failures } = await fuzzServer(150, 1);
  expect(failures).toEqual([]);
  // Neither all rejected nor all accepted: the requests reach both ways.
  for (const status of ['200', '400', '404']) expect(statuses[status], status).toBeGreaterThan(0);
}, 240_000);
