// Looks names up with the system resolver, so that /etc/hosts and the search domains of an internal network work. It
// blocks a thread of the pool of four that files and decompression share, for many seconds if nothing answers, and
// cannot be cancelled. So one thread is used at a time, and results are cached; while a name keeps the thread, the
// others are looked up at the DNS servers directly, which needs no thread.

import { lookup, Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { createLruCache } from '../../core/lru-cache.ts';
import type { ResolveName } from './resolve-name.ts';

export interface LookupDeps {
  /** Blocks a thread. */
  readonly getAddrInfo: ResolveName;
  /** Needs no thread, and knows what the DNS servers know. */
  readonly query: ResolveName;
  readonly nowMs: () => number;
}

/** Ordinary lookups take a few milliseconds. */
const SLOW_LOOKUP_MS = 250;
/** As short as the shortest times to live that are common. */
const FOUND_TTL_MS = 30_000;
const FAILED_TTL_MS = 5000;
/** A name that takes long to fail is asked for again after a multiple of that time, so that it keeps the thread rarely. */
const FAILED_TTL_FACTOR = 4;
const MAX_CACHED_NAMES = 10_000;

interface CachedLookup {
  readonly untilMs: number;
  readonly addresses: Promise<readonly string[]>;
}

export function createBoundedLookup({ getAddrInfo, query, nowMs }: LookupDeps): ResolveName {
  const cache = createLruCache<string, CachedLookup>(MAX_CACHED_NAMES);
  /** The name that keeps the thread. */
  let holder: { readonly sinceMs: number; readonly released: Promise<void> } | null = null;

  async function resolveInThread(name: string): Promise<readonly string[]> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    holder = { sinceMs: nowMs(), released };
    try {
      return await getAddrInfo(name);
    } finally {
      holder = null;
      release();
    }
  }

  async function resolveOrQuery(name: string): Promise<readonly string[]> {
    if (holder === null) return resolveInThread(name);
    const slowInMs = holder.sinceMs + SLOW_LOOKUP_MS - nowMs();
    // A single label is completed by the search domains, which only the system resolver does.
    const canQuery = name.includes('.');
    if (canQuery && slowInMs <= 0) return query(name);
    await (canQuery ? settledWithin(holder.released, slowInMs) : holder.released);
    return resolveOrQuery(name);
  }

  return (name) => {
    const startedMs = nowMs();
    const cached = cache.get(name);
    if (cached !== undefined && cached.untilMs > startedMs) return cached.addresses;
    const addresses = resolveOrQuery(name);
    const keepFor = (ttlMs: number): void => cache.set(name, { untilMs: nowMs() + ttlMs, addresses });
    // While it is under way, others wait for the same lookup.
    keepFor(Number.POSITIVE_INFINITY);
    addresses.then(
      () => keepFor(FOUND_TTL_MS),
      () => keepFor(Math.max(FAILED_TTL_MS, (nowMs() - startedMs) * FAILED_TTL_FACTOR)),
    );
    return addresses;
  };
}

async function settledWithin(promise: Promise<void>, ms: number): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

export const systemResolve: ResolveName = createBoundedLookup({
  async getAddrInfo(name) {
    const addresses = await lookup(name, { all: true });
    return addresses.map(({ address }) => address);
  },
  query: queryServers,
  nowMs: () => performance.now(),
});

const HOSTS_FILE = process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts';

/** IPv4 first: whether this machine has IPv6 is not known here. */
async function queryServers(name: string): Promise<readonly string[]> {
  const pinned = addressesInHosts(name);
  if (pinned.length > 0) return pinned;
  const resolver = new Resolver({ timeout: 1500, tries: 2 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
  return addresses;
}

/** A name that the operator has pinned goes nowhere else. The file is small, and read rarely. */
function addressesInHosts(name: string): readonly string[] {
  let text = '';
  try {
    text = readFileSync(HOSTS_FILE, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
    return names.some((known) => known.toLowerCase() === name.toLowerCase()) ? [address] : [];
  });
}
