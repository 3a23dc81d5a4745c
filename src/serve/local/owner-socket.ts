// Where the owner of a data directory listens.

import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What a socket address holds on every system. */
const LONGEST = 100;

/** Inside the directory, which only its user may enter; beside it where the path is too long for a socket. */
export function ownerSocket(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  const directory = resolve(dataDir);
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\pinakes-${name}`;
  const inside = join(directory, 'owner.sock');
  return Buffer.byteLength(inside) <= LONGEST ? inside : join(tmpdir(), `pinakes-${name}.sock`);
}
