// A table that has just grown has the statistics of when it was small. What a crawl executes then examines as few rows as ever, however
// often a statement was prepared.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Claim } from '../../../src/store/port/frontier.ts';
import { openStoreOver } from '../../../src/store/postgres/open-postgres-store.ts';
import { createExplainingDriver, type ExaminedStatement } from '../../support/examined-rows.ts';
import {
  claimAll,
  createRunFixture,
  createSettlement,
  frontierEntry,
  indexedOutcome,
  type RunFixture,
} from '../../support/run-fixture.ts';
import { createMigratedDatabase, execute, TEST_SETTINGS } from '../../support/stores.ts';

const URLS = Number(process.env['PINAKES_URLS'] ?? 20_000);
const PAGES = URLS / 5;
/** A statement is planned for any parameters once it has been executed five times. */
const TIMES = 8;
const BATCH = 50;
/** Of a statement over a batch of 50: what it changes, in each table and index that it uses. */
const MAX_ROWS = 2000;

/** URLs, with pages and chunks for the first of them. */
const FILL = `insert into frontier (enqueued_at, version_id, run_id, host_id, priority, depth, found_by, state, outcome, url_key, url)
    select 0, v.id, r.id, h.id, 1, 1, 0, case when i > ${PAGES} then 0 else 3 end, case when i > ${PAGES} then null else 1 end, decode(md5(i::text), 'hex'), 'https://x.dev/' || i
    from generate_series(1, ${URLS}) i, (select id from versions) v, (select id from runs) r, (select id from hosts limit 1) h;
  insert into pages (version_id, url_key, url, title, media_type, content_hash, dedupe_hash, chunk_digest, n_chunks, pipeline_version, metadata, fence, changed_at, checked_at)
    select version_id, url_key, url, 'title', 'text/html', sha256(url_key), sha256(url_key), '', 1, 'test/1', '{}', 1, 0, 0 from frontier where outcome = 1;
  insert into chunks (version_id, url_key, ordinal, chunk_id, content_hash, passage_kind, headings, text, first_line, last_line, tokens)
    select version_id, url_key, 0, sha256(url_key), sha256(url_key), 'prose', '[]', 'text', 1, 1, 1 from pages;`;

let store: Store;
let fixture: RunFixture;
let examined: ExaminedStatement[];
let close: () => Promise<void>;

beforeAll(async () => {
  const { url, drop } = await createMigratedDatabase();
  const sql = (text: string): Promise<void> => execute(url, `set session_replication_role = replica; ${text}`);
  for (const table of ['frontier', 'pages', 'chunks']) await sql(`alter table ${table} set (autovacuum_enabled = off)`);
  const explaining = await createExplainingDriver(url);
  ({ examined } = explaining);
  store = await openStoreOver(explaining.driver, TEST_SETTINGS);
  fixture = await createRunFixture(store, ['https://x.dev/']);
  await execute(url, 'vacuum analyze frontier');
  await execute(url, 'vacuum analyze pages');
  await execute(url, 'vacuum analyze chunks');
  await sql(FILL);
  close = async () => {
    await store.close();
    await drop();
  };
});
afterAll(() => close());

/** The statements of `work` that examined too much in one of its repetitions, with how much. */
async function tooMuch(work: (nth: number) => Promise<unknown>): Promise<readonly string[]> {
  examined.length = 0;
  for (let nth = 0; nth < TIMES; nth += 1) await work(nth);
  expect(examined.length).toBeGreaterThanOrEqual(TIMES);
  return examined
    .filter(({ rows }) => rows > MAX_ROWS)
    .map(({ sql, rows, by }) => `${rows} rows by ${by}: ${sql.slice(0, 300)}`);
}

const urlsOf = (nth: number, first = 0): string[] =>
  Array.from({ length: BATCH }, (_, i) => `https://x.dev/new/${nth}/${first + i}`);

test('URLs that are enqueued, new and known ones', async () => {
  expect(
    await tooMuch(async (nth) => {
      for (const foundBy of ['link', 'sitemap'] as const)
        await store.frontier.enqueue(
          fixture.run.id,
          urlsOf(nth).map((url) => frontierEntry(url, { foundBy })),
        );
      await store.frontier.exclude(
        fixture.run.id,
        urlsOf(nth, BATCH).map((url) => ({
          url: pageUrl(url),
          depth: 1,
          foundBy: 'link',
          reason: 'robots-disallow',
          parent: null,
        })),
      );
    }),
  ).toEqual([]);
});

test('URLs that are claimed, renewed, released and settled with their pages and links', async () => {
  expect(
    await tooMuch(async (nth) => {
      const claims = await claimAll(store, BATCH);
      expect(claims).toHaveLength(BATCH);
      expect(await store.frontier.renew(claims, 60_000)).toHaveLength(BATCH);
      expect(await store.frontier.held(claims)).toHaveLength(BATCH);
      await store.frontier.release(claims.slice(0, 10));
      const settled = claims.slice(10).map((claim, i) => settlementOf(claim, nth, i));
      expect(await store.frontier.settle(settled)).toEqual(settled.map(() => 'settled'));
    }),
  ).toEqual([]);
});

function settlementOf(claim: Claim, nth: number, i: number) {
  const links = urlsOf(nth).slice(i, i + 5);
  if (i % 4 === 0) return createSettlement(claim, { kind: 'moved', to: pageUrl('https://x.dev/1') }, links);
  if (i % 4 === 1) return createSettlement(claim, { kind: 'retry', reason: 'fetch.timeout', inMs: 3_600_000 }, links);
  return createSettlement(claim, indexedOutcome(claim.url, `text of ${claim.url}`), links);
}

test('the queue that a plan reads and ranks', async () => {
  expect(
    await tooMuch(async (nth) => {
      const first = await store.plans.queued(fixture.run.id, 'first', BATCH);
      const unranked = await store.plans.queued(fixture.run.id, 'unranked', BATCH);
      expect([first.length, unranked.length]).toEqual([BATCH, BATCH]);
      await store.plans.rank(
        fixture.lease,
        unranked.map(({ url }) => ({ url, rank: 400 + nth })),
      );
      await store.plans.settled(fixture.run.id, 0, BATCH);
    }),
  ).toEqual([]);
});

test('pages that an analysis reads', async () => {
  const { version } = fixture.run;
  expect(
    await tooMuch(async () => {
      await store.analysis.knownUrls(version, null, BATCH);
    }),
  ).toEqual([]);
});

test('aliases that the end of a run writes', async () => {
  expect(
    await tooMuch(async (nth) => {
      const changes = Array.from({ length: BATCH }, (_, i) => ({
        url: pageUrl(`https://x.dev/${nth * BATCH + i + 2}`),
        aliasOf: pageUrl('https://x.dev/1'),
      }));
      await store.pages.applyAliases(fixture.lease, changes);
      await store.pages.applyAliases(
        fixture.lease,
        changes.map(({ url }) => ({ url, aliasOf: null })),
      );
    }),
  ).toEqual([]);
});
