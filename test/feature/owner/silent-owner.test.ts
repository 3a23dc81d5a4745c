// An owner process that is stopped (SIGSTOP) still accepts connections, but never responds.

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { checkOwner } from '../../../src/compose/doctor.ts';
import { prepareOwnerSocket } from '../../../src/serve/owner/owner-socket.ts';
import { takeOverDirectory } from '../../../src/serve/owner/owner-library.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

test('an owner that listens but does not respond is not waited for', { timeout: 20_000 }, async () => {
  const directory = temporaryDirectory();
  const unresponsive = createServer(() => undefined).listen(prepareOwnerSocket(directory).path);
  await once(unresponsive, 'listening');
  const startedAt = performance.now();
  const [found] = await Promise.all([checkOwner(directory), takeOverDirectory(directory)]);
  expect(found).toMatchObject({ state: 'failed' });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  unresponsive.close();
  rmSync(directory, { recursive: true });
});
