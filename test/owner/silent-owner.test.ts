// An owner process that is stopped (SIGSTOP) still accepts connections, but never responds.

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { checkOwner } from '../../src/compose/doctor.ts';
import { ownerSocket } from '../../src/serve/owner/owner-protocol.ts';
import { takeOverDirectory } from '../../src/serve/owner/owner-library.ts';
import { temporaryDirectory } from '../support/stores.ts';

test('an owner that listens but does not respond is not waited for', { timeout: 20_000 }, async () => {
  const directory = temporaryDirectory();
  const unresponsive = createServer(() => undefined).listen(ownerSocket(directory));
  await once(unresponsive, 'listening');
  const startedAt = performance.now();
  const [found] = await Promise.all([checkOwner(directory), takeOverDirectory(directory)]);
  expect(found).toMatchObject({ state: 'failed' });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  unresponsive.close();
  rmSync(directory, { recursive: true });
});
