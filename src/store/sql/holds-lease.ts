// Whether a conductor still holds its run, asked inside the transaction that depends on it.

import type { RunLease } from '../port.ts';
import type { Executor } from './engine/engine.ts';

const stillConducting = `select id from runs where id = $1 and worker = $2 and fence = $3 and ended_at is null`;

export async function holdsLease(tx: Executor, lease: RunLease): Promise<boolean> {
  return (await tx.all(stillConducting, [lease.run.id, lease.worker, lease.fence])).length > 0;
}
