// The audit log.

import type { AuditLog, StoredAuditEntry } from '../../port/audit.ts';
import { batch, type Engine } from '../engine/engine.ts';
import { readRange } from '../runs/read-range.ts';

const insert = batch(
  {
    principal: 'text',
    via: 'text',
    action: 'text',
    source: 'text',
    outcome: 'text',
    request_id: 'text',
    query: 'text',
  },
  `insert into audit_log (at, principal, via, action, source, outcome, request_id, query)
    select now_ms(), r.principal, r.via, r.action, r.source, r.outcome, r.request_id, r.query from {rows} r`,
);
const COLUMNS = 'id, at, principal, via, action, source, outcome, request_id, query';
const deleteOldest = `delete from audit_log where id in
  (select id from (select id, at from audit_log order by id limit $2) oldest where at < now_ms() - $1) returning id`;

interface AuditRow extends Omit<StoredAuditEntry, 'at' | 'requestId'> {
  readonly at: number;
  readonly request_id: string | null;
}

export function createAuditLog(engine: Engine): AuditLog {
  return {
    async append(entries) {
      const rows = entries.map(({ principal, via, action, source, outcome, requestId, query }) => [
        principal,
        via,
        action,
        source,
        outcome,
        requestId,
        query,
      ]);
      if (rows.length > 0) await engine.transaction((tx) => tx.each(insert, rows));
    },
    async list({ principal, action, source, outcome, ...range }) {
      const from = {
        select: `select ${COLUMNS} from audit_log`,
        order: 'id',
        filters: { principal, action, source, outcome },
      };
      const rows = await readRange<AuditRow>(engine.reader, from, range);
      return rows.map(({ at, request_id: requestId, ...entry }) => ({ ...entry, at: new Date(at), requestId }));
    },
    async prune(olderThanMs, limit) {
      return (await engine.transaction((tx) => tx.all(deleteOldest, [olderThanMs, limit]))).length;
    },
  };
}
