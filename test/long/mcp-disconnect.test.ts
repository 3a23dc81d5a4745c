// Two hundred stdio clients that connect and disconnect.

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leftBehind, connectAndDisconnect } from '../support/disconnecting-clients.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';
import { writeResult } from '../support/write-result.ts';

const CLIENTS = 200;

test('two hundred clients leave neither a process nor a lock behind', async () => {
  const directory = temporaryDirectory();
  const startedAt = performance.now();
  await connectAndDisconnect({ PINAKES_DATA_DIR: directory, PINAKES_OWNER_IDLE_MS: '1000' }, CLIENTS);
  const left = await leftBehind(directory);
  writeResult('mcp-disconnect', {
    clients: CLIENTS,
    ...left,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  });
  expect(left).toEqual({ processes: 0, locks: 0 });
  rmSync(directory, { recursive: true });
});
