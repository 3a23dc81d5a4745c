// Many more raw responses and requests through the forward proxy than the gate sends. `PROXY_FUZZ_INPUTS` says how many.

import { expect, test } from 'vitest';
import { fuzzProxy } from '../support/fuzz-proxy.ts';
import { writeResult } from '../support/write-result.ts';

const inputs = Number(process.env['PROXY_FUZZ_INPUTS'] ?? 100_000);

test('raw status lines, headers and lengths never end the process (finding V01)', async () => {
  const seed = 2;
  const { statuses, failures, uncaught } = await fuzzProxy(inputs, { seed });
  expect({ failures, uncaught }).toEqual({ failures: [], uncaught: [] });
  writeResult('proxy-fuzz', { seed, inputs, statuses });
});
