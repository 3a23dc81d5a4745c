// What is asked of every cache: two users that take turns, while others pass by, have each loaded once and get what is theirs.

export interface OpenCache {
  /** User `n` asks for what is its own. */
  readonly use: (user: number) => unknown;
  /** What that is. */
  readonly answer: (user: number) => unknown;
  /** How often it was loaded. */
  readonly loads: (user: number) => number;
  readonly close?: () => Promise<unknown>;
}

export interface CacheCase {
  /** In src. */
  readonly file: string;
  readonly users: string;
  /** Entries that fit. */
  readonly size: number;
  readonly open: () => OpenCache | Promise<OpenCache>;
}

export interface LoadCounter {
  readonly note: (key: string | number) => void;
  readonly of: (key: string | number) => number;
}

export function createLoadCounter(): LoadCounter {
  const counts = new Map<string, number>();
  return {
    note: (key) => void counts.set(String(key), (counts.get(String(key)) ?? 0) + 1),
    of: (key) => counts.get(String(key)) ?? 0,
  };
}

/** For a cache whose entries have an identity: each further object that a user gets was loaded. */
export function countObjects(get: (user: number) => unknown): OpenCache {
  const got = new Map<number, Set<unknown>>();
  return {
    use(user) {
      got.set(user, (got.get(user) ?? new Set()).add(get(user)));
      return user;
    },
    answer: (user) => user,
    loads: (user) => got.get(user)?.size ?? 0,
  };
}

/** Part of a port: what the case does not use is absent. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the place where it is used says what it is
export function fake<Port>(part: object): Port {
  return part as Port;
}
