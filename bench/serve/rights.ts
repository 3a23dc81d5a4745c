// node bench/serve/rights.ts: what rights to sources cost: a search over 1,000 sources with and without them, the lookup and a page of
// access tokens among 100 and among 100,000, and the rejection of each hostile token of an issuer. CPU time of this process.

import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { createSearch } from '../../src/search/search.ts';
import { createIssuerKeys } from '../../src/serve/http/issuer/issuer-keys.ts';
import { createReadMetadata } from '../../src/serve/http/issuer/issuer-metadata.ts';
import { createVerifyIssued } from '../../src/serve/http/issuer/verify-issued.ts';
import { createVerifyJwt } from '../../src/serve/http/issuer/verify-jwt.ts';
import type { Store } from '../../src/store/port.ts';
import { restrictStore } from '../../src/store/restricted/restrict-store.ts';
import { createSqlStore } from '../../src/store/sql/create-sql-store.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { sqliteParts } from '../../src/store/sqlite/open-sqlite-store.ts';
import { openSqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../src/store/sqlite/write-lock.ts';
import { hostileTokens } from '../../test/support/hostile-tokens.ts';
import { startIssuer } from '../../test/support/issuer.ts';
import { settlePages } from '../../test/support/qdrant-library.ts';
import { createRandom } from '../../test/support/random.ts';
import { TEST_SETTINGS } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { writeResult } from '../support/write-result.ts';

const BARS = { searchRatio: 1.1, hostileTokenMs: 5 };
const SOURCES = 1000;
const SEARCHES = 60;
const TOKENS = { few: 100, many: 100_000 };
const RESOURCE = 'https://docs.corp.example';

const random = createRandom(7);
const textOf = (): string => Array.from({ length: 80 }, () => `w${Math.floor(3000 ** random())}`).join(' ');
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const round = (number: number): number => Math.round(number * 1000) / 1000;

function openStore(directory: string): Store {
  const file = join(directory, 'pinakes.db');
  migrateSqlite(file);
  const engine = openSqliteEngine(file, { now: Date.now, writeLock: createWriteLock(), servesRequests: false });
  return createSqlStore(engine, sqliteParts(engine), TEST_SETTINGS);
}

async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Rights that admit all sources, by a hundred patterns of a name each and one with a wildcard. */
const RIGHTS = [...Array.from({ length: 100 }, (_, nth) => `team-${nth}`), 'docs-*'];

async function measureSearch(directory: string): Promise<object> {
  const store = openStore(directory);
  for (let nth = 0; nth < SOURCES; nth += 1) {
    const definition = { name: `docs-${nth}`, kind: 'web', startUrl: `https://d${nth}.dev/`, settings: {} } as const;
    const pages = [{ url: `https://d${nth}.dev/a`, texts: [textOf()] }];
    await settlePages(store, pages, await store.sources.add(definition, ''));
  }
  while ((await store.segments.index(100)) > 0);
  const index = createSegmentIndex(store.segments);
  const without = createSearch(store, index);
  const ratios: number[] = [];
  const costs = { without: [] as number[], withRights: [] as number[] };
  for (let nth = 0; nth < SEARCHES; nth += 1) {
    const request = { query: `w${nth % 50} w${nth % 70}`, limit: 8, budget: 2000, offset: 0, explain: false };
    // A caller's view of the store is made for each request.
    const restricted = (): Promise<unknown> => createSearch(restrictStore(store, RIGHTS), index)(request);
    const runs: Array<readonly ['without' | 'withRights', () => Promise<unknown>]> = [
      ['without', () => without(request)],
      ['withRights', restricted],
    ];
    const pair = { without: 0, withRights: 0 };
    for (const [name, run] of nth % 2 === 0 ? runs : runs.toReversed()) {
      await run();
      pair[name] = await cpuMsOf(run);
    }
    costs.without.push(pair.without);
    costs.withRights.push(pair.withRights);
    ratios.push(pair.withRights / pair.without);
  }
  await store.close();
  return {
    sources: SOURCES,
    patterns: RIGHTS.length,
    searchMs: { without: round(median(costs.without)), withRights: round(median(costs.withRights)) },
    searchRatio: round(median(ratios)),
  };
}

const hashOf = (nth: number): string => createHash('sha256').update(`token ${nth}`).digest('hex');

async function measureTokens(directory: string): Promise<object> {
  const store = openStore(directory);
  const database = new DatabaseSync(join(directory, 'pinakes.db'));
  const insert = database.prepare(
    `insert into tokens (name, role, hash, sources, created_at) values (?, 'read', ?, '["docs-*"]', 0)`,
  );
  const result: Record<string, object> = {};
  let added = 0;
  for (const [name, count] of Object.entries(TOKENS)) {
    database.exec('begin');
    for (; added < count; added += 1) insert.run(`token-${String(added).padStart(6, '0')}`, hashOf(added));
    database.exec('commit');
    const lookups: number[] = [];
    const pages: number[] = [];
    for (let nth = 0; nth < 200; nth += 1) {
      const at = Math.floor(random() * count);
      lookups.push(await cpuMsOf(() => store.tokens.byHashes([hashOf(at)])));
      pages.push(await cpuMsOf(() => store.tokens.list({ after: `token-${String(at).padStart(6, '0')}`, limit: 100 })));
    }
    result[name] = { tokens: count, lookupMs: round(median(lookups)), pageOf100Ms: round(median(pages)) };
  }
  database.close();
  await store.close();
  return result;
}

async function measureHostileTokens(): Promise<object> {
  const issuer = await startIssuer(RESOURCE);
  const other = await startIssuer(RESOURCE);
  const readJson = async (url: string): Promise<unknown> => (await fetch(url)).json();
  const now = (): number => Date.now();
  const readMetadata = createReadMetadata(issuer.url, readJson, now);
  const keys = createIssuerKeys({ issuer: issuer.url, jwksUrl: undefined, readMetadata, readJson, now });
  const verify = createVerifyIssued(
    {
      issuer: issuer.url,
      resource: RESOURCE,
      audiences: [],
      readScope: 'pinakes:read',
      adminScope: 'pinakes:admin',
      groupsClaim: 'groups',
      sources: [],
    },
    createVerifyJwt(issuer.url, keys, now),
  );
  if ((await verify(await issuer.token())) === null) throw new Error('a valid token is rejected');
  const costs: Record<string, number> = {};
  const tokens = [...hostileTokens(issuer, other, RESOURCE), ['of 1 MB', () => 'a'.repeat(1_000_000)] as const];
  for (const [name, make] of tokens) {
    const token = await make();
    const times: number[] = [];
    for (let nth = 0; nth < 21; nth += 1)
      times.push(
        await cpuMsOf(async () => {
          if ((await verify(token)) !== null) throw new Error(`accepted: ${name}`);
        }),
      );
    costs[name] = round(median(times));
  }
  await Promise.all([issuer.close(), other.close()]);
  return { tokens: tokens.length, slowestMs: Math.max(...Object.values(costs)), each: costs };
}

const folder = temporaryDirectory();
try {
  const parts = ['search', 'tokens'].map((name) => join(folder, name));
  for (const part of parts) mkdirSync(part);
  writeResult('rights', {
    bars: BARS,
    search: await measureSearch(parts[0] ?? ''),
    tokens: await measureTokens(parts[1] ?? ''),
    hostileTokens: await measureHostileTokens(),
  });
} finally {
  rmSync(folder, { recursive: true });
}
