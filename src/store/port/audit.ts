// The audit log: who called what, about which source, with which outcome.

import type { AuditEntry } from '../../core/model/audit-entry.ts';
import type { ListRange } from './journal.ts';

export interface StoredAuditEntry extends AuditEntry {
  readonly id: number;
  readonly at: Date;
}

/** A null field does not filter. */
export interface AuditQuery extends ListRange {
  readonly principal: string | null;
  readonly action: string | null;
  readonly source: string | null;
  readonly outcome: string | null;
}

export interface AuditLog {
  append(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly StoredAuditEntry[]>;
  /** Deletes up to `limit` of the oldest entries that are older than this; returns how many. */
  prune(olderThanMs: number, limit: number): Promise<number>;
}
