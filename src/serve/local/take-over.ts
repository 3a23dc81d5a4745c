// Asks an owner in the background to make room for one that stays, such as a server. Its runs go on in the next owner.

import { setTimeout as wait } from 'node:timers/promises';
import { askOwnerToEnd, greetOwner } from '../owner/owner-client.ts';
import { ownerSocket } from './owner-socket.ts';

const LONGEST_MS = 26_000;
const LOOK_EVERY_MS = 50;

/** Returns when nobody listens any more, or when the owner stays: then the lock will say who it is. */
export async function takeOver(dataDir: string): Promise<void> {
  const socket = ownerSocket(dataDir);
  const found = await greetOwner(socket).catch(() => null);
  if (found === null || !(await askOwnerToEnd(socket, 'now').catch(() => true))) return;
  const deadline = performance.now() + LONGEST_MS;
  while (performance.now() < deadline && isAlive(found.pid)) await wait(LOOK_EVERY_MS);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
