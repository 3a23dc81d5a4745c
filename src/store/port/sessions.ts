// Sessions of the dashboard: subjects who signed in at the issuer.

import type { SourceRights } from '../../core/model/source-rights.ts';

export interface DashboardSession {
  /** Hash of the secret in the cookie. The secret itself is never stored. */
  readonly hash: string;
  /** `oauth:` and the subject at the issuer. */
  readonly principal: string;
  /** For people; two subjects may share it. */
  readonly displayName: string;
  readonly role: 'read' | 'admin';
  readonly sources: SourceRights;
  readonly expiresAt: Date;
}

export interface NewSession extends Omit<DashboardSession, 'expiresAt'> {
  readonly expiresInMs: number;
}

/** A session expires by the database's clock. */
export interface Sessions {
  /** Also deletes sessions that have expired. Returns when the new one will. */
  add(session: NewSession): Promise<Date>;
  /** The sessions with these hashes that have not expired, found by index. */
  byHashes(hashes: readonly string[]): Promise<readonly DashboardSession[]>;
  /** Does nothing if there is no such session. */
  end(hash: string): Promise<void>;
}
