// Work that one process does at a time: it holds a lease in the database, and renews it as long as it works.

import type { PointRecords } from '../../core/lexical/points/point-records.ts';
import { every } from '../../platform/clock.ts';

export type LeaseRecords = Pick<PointRecords, 'lease' | 'renewLease' | 'releaseLease'>;

/** Null if another process does the work. */
export async function withLease<T>(
  records: LeaseRecords,
  part: number,
  leaseMs: number,
  work: () => Promise<T>,
): Promise<T | null> {
  const lease = await records.lease(part, leaseMs);
  if (lease === null) return null;
  // A lost lease does no harm: a page that another process has published in the meantime is not published a second time.
  const renewal = every(leaseMs / 3, () => void records.renewLease(lease, leaseMs).catch(() => undefined));
  try {
    return await work();
  } finally {
    renewal.cancel();
    await records.releaseLease(lease).catch(() => undefined);
  }
}
