// Two hundred clients on stdin that start and vanish.

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leftBehind, vanish } from '../mcp/disconnecting-clients.ts';
import { temporaryDirectory } from '../support/stores.ts';
import { writeResult } from './write-result.ts';

const CLIENTS = 200;

test('two hundred clients leave no process and no lock', async () => {
  const directory = temporaryDirectory();
  const began = performance.now();
  await vanish({ PINAKES_DATA_DIR: directory, PINAKES_OWNER_IDLE_MS: '1000' }, CLIENTS);
  const left = await leftBehind(directory);
  writeResult('mcp-vanish', { clients: CLIENTS, ...left, seconds: Math.round((performance.now() - began) / 1000) });
  expect(left).toEqual({ processes: 0, locks: 0 });
  rmSync(directory, { recursive: true });
});
