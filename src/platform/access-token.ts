// Access tokens of the HTTP server, and who a caller is. Only hashes are stored, so the database reveals no token.

import { createHash, randomBytes } from 'node:crypto';
import type { SourceRights } from '../core/model/source-rights.ts';

export type TokenRole = 'read' | 'admin';

export interface StoredToken {
  readonly name: string;
  readonly role: TokenRole;
  readonly hash: string;
  readonly sources: SourceRights;
  /** Null for the limit of the server. */
  readonly requestsPerMinute: number | null;
  /** The secret before the last rotation. */
  readonly previous: { readonly hash: string; readonly until: Date } | null;
  readonly lastUsedAt: Date | null;
}

/** Access to the stored tokens for a server: none of these methods reads all of them. */
export interface TokenLookup {
  readonly isAny: () => Promise<boolean>;
  /** The valid tokens with one of the hashes. */
  readonly byHashes: (hashes: readonly string[]) => Promise<readonly StoredToken[]>;
  readonly byName: (name: string) => Promise<StoredToken | null>;
  readonly touch: (name: string) => Promise<void>;
}

/** The caller of a request, with its role and rights. Resolved once per request. */
export interface Principal {
  /** The name of its token, or `oauth:` and its subject at the issuer; null for an anonymous caller on loopback. */
  readonly token: string | null;
  readonly role: TokenRole;
  readonly sources: SourceRights;
  /** Null for the limit of the server. */
  readonly requestsPerMinute: number | null;
  /** Hash of the presented secret; null for an anonymous caller and for a token of the issuer. */
  readonly secret: string | null;
  /** Hash of its session; null for a caller without the session cookie of the dashboard. */
  readonly session: string | null;
  /** When it expires, in milliseconds since 1970; null if the stored token decides. */
  readonly until: number | null;
}

/** Any process of the machine, while there is no token. */
export const ANONYMOUS: Principal = {
  token: null,
  role: 'admin',
  sources: null,
  requestsPerMinute: null,
  secret: null,
  session: null,
  until: null,
};

const PREFIX = 'pnk_';

export function generateToken(): { readonly token: string; readonly hash: string } {
  const token = PREFIX + randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** A token has 256 random bits, so how long the lookup of its hash takes tells nothing about another token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function principalOf({ name, role, sources, requestsPerMinute }: StoredToken, secret: string): Principal {
  return { token: name, role, sources, requestsPerMinute, secret, session: null, until: null };
}

/** Whether this server may have made the token; any other is from the issuer, if there is one. */
export function isOurToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** The token of an Authorization header, at most 8 kB; null if it has no bearer token. */
export function parseBearer(header: string | undefined): string | null {
  const [, token = null] = /^bearer ([\w.~+/=-]{1,8192})$/i.exec(header ?? '') ?? [];
  return token;
}
