// Access tokens of the HTTP server.

import type { SourceRights } from '../../core/model/source-rights.ts';

export interface NewToken {
  readonly name: string;
  readonly role: 'read' | 'admin';
  /** SHA-256 of the token, in hex. The token itself is never stored. */
  readonly hash: string;
  readonly sources: SourceRights;
  /** Lifetime from now; null for a token that does not expire. */
  readonly expiresInMs: number | null;
  /** Null for the limit of the server. */
  readonly requestsPerMinute: number | null;
}

export interface AccessToken extends Omit<NewToken, 'expiresInMs'> {
  /** The secret before the last rotation, valid until its time; null if there is none. */
  readonly previous: { readonly hash: string; readonly until: Date } | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** Rounded to the hour, so that it is written rarely; null if it was never used. */
  readonly lastUsedAt: Date | null;
}

export interface TokenPage {
  /** Only tokens whose names come after it, by code points; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** A token expires by the database's clock. An expired one grants nothing, and is listed until it is revoked. */
export interface Tokens {
  /** A name that is in use raises `token.exists`. */
  add(token: NewToken): Promise<void>;
  list(page: TokenPage): Promise<readonly AccessToken[]>;
  /** Whether there is a token, an expired one included. */
  isAny(): Promise<boolean>;
  /** The valid tokens with one of these hashes, found by index. */
  byHashes(hashes: readonly string[]): Promise<readonly AccessToken[]>;
  /** Null if there is no such token, or if it has expired. */
  byName(name: string): Promise<AccessToken | null>;
  /** Sets a new secret; the current one stays valid for the overlap, the previous one ends. False if there is no such token. */
  rotate(name: string, hash: string, overlapMs: number): Promise<boolean>;
  /** Records a use. Writes nothing if one was recorded within the hour. */
  touch(name: string): Promise<void>;
  /** False if there is no such token. */
  revoke(name: string): Promise<boolean>;
}
