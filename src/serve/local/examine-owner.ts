// Whether a process works on the data directory, as a finding for doctor.

import type { Finding } from '../../platform/check-machine.ts';
import { greetOwner } from '../owner/owner-client.ts';
import { ownerSocket } from './owner-socket.ts';

export async function examineOwner(dataDir: string): Promise<Finding> {
  const found = await greetOwner(ownerSocket(dataDir)).catch(() => 'silent' as const);
  if (found === 'silent')
    return {
      part: 'owner',
      state: 'wrong',
      says: 'a process listens and does not answer: it was stopped, or hangs',
      next: `continue or end the process that ${dataDir}/owner.json names`,
    };
  const says =
    found === null
      ? 'nobody works on it now; commands start a process when they need one'
      : `process ${found.pid}, pinakes ${found.version}`;
  return { part: 'owner', state: 'well', says, next: null };
}
