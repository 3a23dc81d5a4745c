// Writes the audit log of a process, and deletes entries past the retention period.

import type { AuditEntry, AuditSink } from '../core/model/audit-entry.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { Config } from '../platform/config/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/port.ts';

const DAY_MS = 86_400_000;
const PRUNE_EVERY_MS = 3_600_000;
const PRUNE_ENTRIES = 10_000;
/** Limit of entries that wait for the database. Further ones go to the log only: a call must not wait for the entries of others. */
const MAX_WAITING = 10_000;

/** Entries that arrive during a write form the next batch. An entry that cannot be written goes to the log. */
export function createAuditWriter(
  { audit }: Pick<Store, 'audit'>,
  { reads, queries, retentionDays }: Config['audit'],
  log: Log,
): AuditSink {
  let waiting: AuditEntry[] = [];
  let writing: Promise<void> | null = null;
  let prunedAt = -Infinity;

  async function prune(): Promise<void> {
    if (retentionDays === 0 || monotonicMs() - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = monotonicMs();
    while ((await audit.prune(retentionDays * DAY_MS, PRUNE_ENTRIES)) === PRUNE_ENTRIES);
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const entries = waiting;
      waiting = [];
      try {
        await audit.append(entries);
        await prune();
      } catch (error) {
        log.error('the audit log was not written', { error, entries });
      }
    }
  }

  return {
    settings: { reads, queries },
    async record(entry) {
      if (waiting.length >= MAX_WAITING) return log.error('the audit log is too slow', { entries: [entry] });
      waiting.push(entry);
      writing ??= writeAll().finally(() => (writing = null));
      await writing;
      return undefined;
    },
  };
}
