// The two cookies of the dashboard: its session, and a sign-in that has begun in this browser.

import { createHash, timingSafeEqual } from 'node:crypto';

/** Over TLS the prefix keeps other hosts of the domain, and pages without TLS, from setting them. */
export interface CookieNames {
  readonly session: string;
  readonly pending: string;
  readonly isSecure: boolean;
}

export function cookieNames(origin: string): CookieNames {
  const isSecure = origin.startsWith('https:');
  const prefix = isSecure ? '__Host-' : '';
  return { session: `${prefix}pinakes-session`, pending: `${prefix}pinakes-sign-in`, isSecure };
}

/** The value of a cookie; null without it, and if two have its name: one of them was planted. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at !== -1 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  const [value = ''] = values;
  return values.length === 1 && VALUE.test(value) ? value : null;
}

const VALUE = /^[\w-]{1,3000}$/;

/** `strict`: sent with requests of our own pages only. `lax`: also when another site leads here, as the issuer does. */
export interface CookieValue {
  readonly name: string;
  readonly value: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** 0 deletes it. */
  readonly maxAgeSeconds: number;
}

export function cookieHeader({ name, value, sameSite, maxAgeSeconds }: CookieValue, isSecure: boolean): string {
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${sameSite}`];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

/** A sign-in that waits for the issuer. It is kept in the browser that began it, so that no other can end it. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE: without it, a stolen code is worth nothing. */
  readonly verifier: string;
  /** The view of the dashboard to return to. */
  readonly to: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

export function encodePending(pending: PendingSignIn): string {
  return Buffer.from(JSON.stringify(pending)).toString('base64url');
}

/** Null for a text that is none. */
export function decodePending(text: string | null): PendingSignIn | null {
  try {
    const found = JSON.parse(Buffer.from(text ?? '', 'base64url').toString()) as Readonly<Record<string, unknown>>;
    const { state, nonce, verifier, to, until } = found;
    const isWhole = [state, nonce, verifier, to].every((part) => typeof part === 'string' && part !== '');
    return isWhole && typeof until === 'number' ? (found as unknown as PendingSignIn) : null;
  } catch {
    return null;
  }
}

/** Takes the same time wherever two texts differ. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
