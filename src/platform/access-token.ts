// Access tokens of the HTTP server. Only their hashes are stored, so the database reveals no token.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export type TokenRole = 'read' | 'admin';

export interface StoredToken {
  readonly name: string;
  readonly role: TokenRole;
  readonly hash: string;
}

export interface Principal {
  /** The token's name; null for an anonymous caller on loopback. */
  readonly token: string | null;
  readonly role: TokenRole;
}

const PREFIX = 'pnk_';

export function generateToken(): { readonly token: string; readonly hash: string } {
  const token = PREFIX + randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Takes the same time whichever token matches. */
export function findToken(candidate: string, stored: readonly StoredToken[]): StoredToken | null {
  const hash = Buffer.from(hashToken(candidate));
  let found: StoredToken | null = null;
  for (const token of stored) if (timingSafeEqual(hash, Buffer.from(token.hash))) found = token;
  return found;
}

/** The token of an Authorization header; null if it has no bearer token. */
export function parseBearer(header: string | undefined): string | null {
  const [, token = null] = /^bearer ([\w.~+/=-]{1,512})$/i.exec(header ?? '') ?? [];
  return token;
}
