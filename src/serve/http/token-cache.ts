// Caches recently presented tokens for a few seconds. The cost of its reads does not grow with the number of tokens.

import { createLruCache } from '../../core/lru-cache.ts';
import type { StoredToken, TokenLookup } from '../../platform/access-token.ts';

export interface TokenCache {
  /** Whether any token exists; if so, every request needs one. */
  isAny(): Promise<boolean>;
  /** Null if no valid token has this hash. */
  byHash(hash: string): Promise<StoredToken | null>;
  /** The hashes that still belong to a valid token. */
  stillValid(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  byName(name: string): Promise<StoredToken | null>;
  /** Records the use of a token that was not recorded recently. */
  noteUse(token: StoredToken): void;
}

/** A revoked or expired token is rejected after this time at the latest. */
const TOKEN_CACHE_MS = 5000;
/** The first token that is created is required after this time at the latest. */
const NO_TOKEN_CACHE_MS = 1000;
const MAX_CACHED = 10_000;
const MAX_USES = 10_000;
const HOUR_MS = 3_600_000;

export function createTokenCache(lookup: TokenLookup, now: () => number): TokenCache {
  const known = createLruCache<string, { readonly token: StoredToken; readonly at: number }>(MAX_CACHED);
  const uses = createLruCache<string, number>(MAX_USES);
  let any: { readonly isAny: boolean; readonly at: number } | null = null;
  let reading: Promise<boolean> | null = null;

  /** The clock may be set back. */
  const isFresh = (at: number, maxAgeMs: number): boolean => Math.abs(now() - at) <= maxAgeMs;

  function cached(hash: string): StoredToken | null {
    const entry = known.get(hash);
    return entry !== undefined && isFresh(entry.at, TOKEN_CACHE_MS) ? entry.token : null;
  }

  async function readAny(): Promise<boolean> {
    try {
      const isAny = await lookup.isAny();
      any = { isAny, at: now() };
      return isAny;
    } finally {
      reading = null;
    }
  }

  async function find(hashes: readonly string[]): Promise<readonly StoredToken[]> {
    const found = await lookup.byHashes(hashes);
    for (const token of found)
      for (const hash of [token.hash, token.previous?.hash])
        if (hash !== undefined && hashes.includes(hash)) known.set(hash, { token, at: now() });
    return found;
  }

  return {
    async isAny() {
      if (any !== null && isFresh(any.at, any.isAny ? TOKEN_CACHE_MS : NO_TOKEN_CACHE_MS)) return any.isAny;
      return (reading ??= readAny());
    },
    async byHash(hash) {
      // Unknown hashes are not cached: guesses must not evict tokens.
      return cached(hash) ?? (await find([hash]))[0] ?? null;
    },
    async stillValid(hashes) {
      const valid = new Set(hashes.filter((hash) => cached(hash) !== null));
      const others = hashes.filter((hash) => !valid.has(hash));
      if (others.length === 0) return valid;
      for (const hash of others) known.delete(hash);
      await find(others);
      for (const hash of others) if (cached(hash) !== null) valid.add(hash);
      return valid;
    },
    byName: (name) => lookup.byName(name),
    noteUse({ name, lastUsedAt }) {
      const last = Math.max(uses.get(name) ?? 0, lastUsedAt?.getTime() ?? 0);
      if (now() - last < HOUR_MS) return;
      uses.set(name, now());
      // The time of use is information for people, so no request waits for it.
      lookup.touch(name).catch(() => uses.delete(name));
    },
  };
}
