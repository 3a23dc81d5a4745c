// Another user of the machine listens where the owner of a data directory would, in order to receive what its commands send.

import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { findOwnerSocket, prepareOwnerSocket } from '../../../src/serve/owner/owner-socket.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { runProgram } from '../../support/attacked-program.ts';
import { ROOT } from '../../support/needs.ts';

const NOBODY = 65_534;

const roots: string[] = [];
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function temporaryRoot(): string {
  const root = temporaryDirectory();
  roots.push(root);
  return root;
}

/** A listener that belongs to nobody. A socket is made when `listen` is called, so it can be made as another user. */
function listenAsNobody(path: string): { readonly received: string[] } {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      received.push(text);
      socket.end();
    });
    socket.on('error', () => undefined);
  });
  servers.push(server);
  process.seteuid!(NOBODY);
  try {
    server.listen(path);
  } finally {
    process.seteuid!(0);
  }
  expect(lstatSync(path).uid).toBe(NOBODY);
  return { received };
}

async function addToken(dataDir: string, home: string): Promise<void> {
  const env = { HOME: home, PINAKES_DATA_DIR: dataDir };
  const ended = await runProgram({ cwd: home, env }, ['tokens', 'create', 'laptop']);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'owner.json'), 'utf8')) as { pid: number };
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
}

test('no call goes to a socket that another user put into the temporary folder (finding N14)', ROOT, async () => {
  const root = temporaryRoot();
  const dataDir = join(root, 'a-name-that-makes-the-path-of-a-socket-too-long-for-the-system'.repeat(2));
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const { received } = listenAsNobody(join(tmpdir(), `pinakes-${name}.sock`));
  await addToken(dataDir, root);
  expect(received).toEqual([]);
  const socket = readFileSync(join(dataDir, 'owner.socket'), 'utf8');
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
});

test('no call goes to a socket that another user put into a shared data directory (finding N14)', ROOT, async () => {
  const root = temporaryRoot();
  chmodSync(root, 0o755);
  const dataDir = join(root, 'shared');
  mkdirSync(join(dataDir, 'run'), { recursive: true });
  chmodSync(dataDir, 0o1777);
  chownSync(join(dataDir, 'run'), NOBODY, NOBODY);
  const planted = ['owner.sock', 'run/owner.sock'].map((path) => listenAsNobody(join(dataDir, path)));
  await addToken(dataDir, root);
  expect(planted.map(({ received }) => received)).toEqual([[], []]);
});

test('the socket is in a folder that only its user may enter (finding N14)', () => {
  const dataDir = temporaryRoot();
  expect(prepareOwnerSocket(dataDir).path).toBe(join(dataDir, 'owner.sock'));
  chmodSync(dataDir, 0o755);
  const { path, remove } = prepareOwnerSocket(dataDir);
  expect(path).toBe(join(dataDir, 'run', 'owner.sock'));
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(findOwnerSocket(dataDir)).toBeNull();
  // What a volume with fsGroup does to every folder when it is mounted again.
  chmodSync(dirname(path), 0o2770);
  expect(prepareOwnerSocket(dataDir).path).toBe(path);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  remove();
});
