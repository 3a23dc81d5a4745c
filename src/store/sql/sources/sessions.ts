// Sessions of the dashboard.

import type { SourceRights } from '../../../core/model/source-rights.ts';
import type { DashboardSession, Sessions } from '../../port/sessions.ts';
import type { Engine } from '../engine/engine.ts';

const MAX_DELETED = 100;
const deleteExpired = `delete from dashboard_sessions where hash in
  (select hash from dashboard_sessions where expires_at <= now_ms() order by expires_at limit ${MAX_DELETED})`;
const insert = `insert into dashboard_sessions (hash, principal, display_name, role, sources, expires_at)
  values ($1, $2, $3, $4, $5, now_ms() + $6) returning expires_at`;
const selectByHash = `select hash, principal, display_name, role, sources, expires_at from dashboard_sessions
  where hash = $1 and expires_at > now_ms()`;
const remove = 'delete from dashboard_sessions where hash = $1';

interface SessionRow {
  readonly hash: string;
  readonly principal: string;
  readonly display_name: string;
  readonly role: DashboardSession['role'];
  /** A list in JSON. */
  readonly sources: string | null;
  readonly expires_at: number;
}

export function createSessions(engine: Engine): Sessions {
  return {
    async add({ hash, principal, displayName, role, sources, expiresInMs }) {
      const patterns = sources === null ? null : JSON.stringify(sources);
      const [added] = await engine.transaction(async (tx) => {
        await tx.all(deleteExpired);
        const values = [hash, principal, displayName, role, patterns, expiresInMs];
        return tx.all<Pick<SessionRow, 'expires_at'>>(insert, values);
      });
      return new Date(added?.expires_at ?? 0);
    },
    async byHashes(hashes) {
      const found = await Promise.all(hashes.map((hash) => engine.reader.all<SessionRow>(selectByHash, [hash])));
      return found.flat().map(sessionOf);
    },
    end: async (hash) => void (await engine.transaction((tx) => tx.all(remove, [hash]))),
  };
}

function sessionOf({ hash, principal, display_name, role, sources, expires_at }: SessionRow): DashboardSession {
  return {
    hash,
    principal,
    displayName: display_name,
    role,
    sources: sources === null ? null : (JSON.parse(sources) as SourceRights),
    expiresAt: new Date(expires_at),
  };
}
