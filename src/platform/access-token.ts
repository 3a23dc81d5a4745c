// Who asks. A token is known by its hash alone: whoever reads the database learns no token.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export type Scope = 'read' | 'admin';

export interface KnownToken {
  readonly name: string;
  readonly scope: Scope;
  readonly hash: string;
}

export interface Principal {
  /** The token's name; null for whoever needs none. */
  readonly token: string | null;
  readonly scope: Scope;
}

const PREFIX = 'pnk_';

export function newToken(): { readonly token: string; readonly hash: string } {
  const token = PREFIX + randomBytes(32).toString('base64url');
  return { token, hash: hashOfToken(token) };
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares every token in the same time, whichever matches. */
export function tokenOf(given: string, known: readonly KnownToken[]): KnownToken | null {
  const hash = Buffer.from(hashOfToken(given));
  let found: KnownToken | null = null;
  for (const token of known) if (timingSafeEqual(hash, Buffer.from(token.hash))) found = token;
  return found;
}

/** The token of an Authorization header; null where there is none that we read. */
export function bearerOf(header: string | undefined): string | null {
  const [, token = null] = /^bearer ([\w.~+/=-]{1,512})$/i.exec(header ?? '') ?? [];
  return token;
}
