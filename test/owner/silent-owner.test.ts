// An owner that was stopped still listens: the system takes the call, and nobody answers it.

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { examineOwner } from '../../src/serve/local/examine-owner.ts';
import { ownerSocket } from '../../src/serve/local/owner-socket.ts';
import { takeOver } from '../../src/serve/local/take-over.ts';
import { temporaryDirectory } from '../support/stores.ts';

test('nobody waits for an owner that listens and says nothing', { timeout: 20_000 }, async () => {
  const directory = temporaryDirectory();
  const deaf = createServer(() => undefined).listen(ownerSocket(directory));
  await once(deaf, 'listening');
  const began = performance.now();
  const [found] = await Promise.all([examineOwner(directory), takeOver(directory)]);
  expect(found).toMatchObject({ state: 'wrong' });
  expect(performance.now() - began).toBeLessThan(10_000);
  deaf.close();
  rmSync(directory, { recursive: true });
});
