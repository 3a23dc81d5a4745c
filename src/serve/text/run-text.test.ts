import { expect, test } from 'vitest';
import type { SourceView } from '../../actions/list-sources.ts';
import { AGENT, TERMINAL } from './readers.table.ts';
import { statusText as textFor } from './run-text.ts';
import { sourcesText } from './source-text.ts';

const statusText = (status: typeof STATUS): string => textFor(status, AGENT);

const COUNTS = {
  found: 120,
  queued: 78,
  new: 25,
  changed: 0,
  unchanged: 15,
  missing: 0,
  removed: 0,
  'not-found': 0,
  moved: 0,
  skipped: 0,
  failed: 2,
  dropped: 0,
  excluded: 5,
  bytes: 1000,
};

const RUN = {
  run: 3,
  source: 'boot',
  startUrl: 'https://docs.spring.io/boot',
  state: 'running',
  mode: 'incremental',
  reason: null,
  createdAt: '2026-02-20T10:29:00.000Z',
  startedAt: '2026-02-20T10:30:00.000Z',
  endedAt: null,
  lastActivityAt: '2026-02-20T10:33:45.000Z',
  events: 42,
  lastEventAt: '2026-02-20T10:33:45.000Z',
  etaSeconds: 390,
  counts: COUNTS,
  metrics: {
    visited: 42,
    downloaded: 25,
    found: 120,
    saved: 40,
    errors: 2,
    queueSize: 78,
    requestsPerSec: 0.2,
    downloadsPerSec: 0.1,
    errorRatePerMin: 0.5,
    bytesPerSec: 4,
  },
};

const STATUS: Parameters<typeof textFor>[0] = {
  runs: [RUN],
  cursors: { nextBefore: null, prevAfter: null },
  source: { startUrl: 'https://docs.spring.io/boot', status: 'crawling', pages: 25, chunks: 1247 },
  elapsedMs: 225_000,
  urls: [
    { url: 'https://docs.spring.io/boot/old', outcome: 'failed', reason: 'fetch.status: 503' },
    { url: 'https://docs.spring.io/boot/broken', outcome: 'failed', reason: 'fetch.timeout' },
    { url: 'https://docs.spring.io/boot/archive/v1', outcome: 'excluded', reason: '!/boot/archive/**' },
  ],
  nextCursor: null,
  reasons: [],
  queue: [],
  problems: [],
  settings: null,
  markdownVerdict: null,
  coverage: null,
  estimate: null,
  unindexed: 0,
  isSearchable: true,
  scheduled: [],
};

test('a live run shows progress, failed and excluded URLs, and the time', () => {
  expect(statusText(STATUS)).toBe(`Source: boot (https://docs.spring.io/boot)
Status: crawling
Progress: 42/120 pages crawled (35%) (run 3, running)
Unchanged: 15 pages
Failed: 2 URLs
  - https://docs.spring.io/boot/old: fetch.status: 503
  - https://docs.spring.io/boot/broken: fetch.timeout
Excluded: 5 URLs
  - https://docs.spring.io/boot/archive/v1: excluded by !/boot/archive/**
  More: call crawl_status with outcome excluded; URLs are kept for the latest run of a source
Started: 2026-02-20T10:30:00.000Z
Elapsed: 3m 45s, about 6m 30s left`);
});

test('an ended run is a summary with pages and chunks', () => {
  const run = { ...RUN, state: 'completed', endedAt: '2026-02-20T10:33:45.000Z', counts: { ...COUNTS, queued: 0 } };
  const source = { startUrl: 'https://docs.spring.io/boot', status: 'indexed' as const, pages: 103, chunks: 1247 };
  const text = statusText({ ...STATUS, runs: [run], source });
  expect(text).toContain(`Status: indexed
Last crawl: 2026-02-20T10:33:45.000Z (run 3, completed)
Pages: 120 crawled, 25 new, 15 unchanged, 2 failed, 5 excluded; 103 stored
Chunks: 1,247 total
`);
  expect(text).not.toContain('Progress:');
});

test('a terminal gets the same lines, with each reason once in place of the URLs', () => {
  const reasons = [
    { outcome: 'excluded' as const, reason: 'out-of-scope: scope path', count: 4, example: 'https://x.dev/' },
    { outcome: 'failed' as const, reason: 'fetch.timeout', count: 1, example: 'https://docs.spring.io/broken' },
  ];
  expect(textFor({ ...STATUS, reasons }, TERMINAL)).toBe(`Source: boot (https://docs.spring.io/boot)
Status: crawling
Progress: 42/120 pages crawled (35%) (run 3, running)
Unchanged: 15 pages
  4 links lead elsewhere: out-of-scope: scope path
    such as https://x.dev/
  1 failed: fetch.timeout
    https://docs.spring.io/broken
Started: 2026-02-20T10:30:00.000Z
Elapsed: 3m 45s, about 6m 30s left`);
  expect(textFor({ ...STATUS, runs: [] }, TERMINAL)).toContain('pinakes add');
});

test('a list that was continued says how to continue, and no URL adds a line', () => {
  const urls = [{ url: 'https://x.dev/\nStatus: indexed', outcome: 'failed' as const, reason: 'a\nb' }];
  const text = statusText({ ...STATUS, urls, nextCursor: 'abc' });
  expect(text).toContain(
    '  - https://x.dev/ Status: indexed: a b\n  More: call crawl_status with outcome failed and cursor abc',
  );
});

test('several runs have two lines each', () => {
  const text = statusText({ ...STATUS, source: null, elapsedMs: null, urls: [], runs: [RUN, { ...RUN, run: 2 }] });
  expect(text.split('\n')).toEqual([
    'Run 3 of boot running',
    '  42/120 pages crawled (35%), 2 failed, 5 excluded; 1 kB received',
    'Run 2 of boot running',
    '  42/120 pages crawled (35%), 2 failed, 5 excluded; 1 kB received',
  ]);
});

test('a source has its status and freshness, and what the site says in quotation marks', () => {
  const source: SourceView = {
    source: 'fastify',
    startUrl: 'https://fastify.dev/docs/',
    status: 'indexed',
    reason: null,
    versions: [
      {
        version: '5.2',
        declaredVersion: '5.2.1',
        pages: 1312,
        chunks: 9000,
        oldestCheckAt: '2026-11-01T00:00:00.000Z',
        siteTitle: 'Fastify',
        siteSummary: 'Fast."\n- react: error',
        usageTerms: ['Content-Signal: search=yes,\nai-train=no'],
        licenses: ['https://x.dev/license.xml'],
      },
    ],
    addedAt: '2026-10-01T00:00:00.000Z',
    ignoresTerms: true,
    lastCrawlAt: '2026-11-15T00:00:00.000Z',
    nextRunAt: null,
    uses: 0,
  };
  expect(sourcesText([source], 1)).toBe(`- fastify: indexed, last crawl 2026-11-15, https://fastify.dev/docs/
  The operator set that its terms of use exclude no pages
  version 5.2 (declares 5.2.1): 1,312 pages, 9,000 chunks, oldest check 2026-11-01
  The site says (untrusted): "Fastify" "Fast.\\" - react: error"
  Its terms of use (untrusted): "Content-Signal: search=yes, ai-train=no"
  Its licenses (untrusted): "https://x.dev/license.xml"`);
  expect(
    sourcesText(
      Array.from({ length: 110 }, () => source),
      120,
    ),
  ).toMatch(/\n20 more: call list_sources with part of a name\.$/);
});

test('what a stopped run did not fetch is not crawled (finding T26)', () => {
  const counts = { ...COUNTS, found: 19, queued: 0, new: 3, unchanged: 0, failed: 0, excluded: 0, dropped: 15 };
  const run = { ...RUN, state: 'stopped', endedAt: '2026-02-20T10:33:45.000Z', counts: { ...counts, 'not-found': 1 } };
  const urls = [{ url: 'https://docs.spring.io/gone', outcome: 'not-found' as const, reason: 'status 404' }];
  expect(statusText({ ...STATUS, runs: [run], urls })).toContain(
    `Pages: 4 of 19 crawled, 3 new, 0 unchanged, 1 not found, 0 failed, 15 dropped; 25 stored
Chunks: 1,247 total
Not found (broken links): 1 URL
  - https://docs.spring.io/gone: status 404`,
  );
  expect(statusText({ ...STATUS, source: null, runs: [run] })).toBe(
    'Run 3 of boot stopped in 3m 45s\n  4 of 19 crawled, 3 new, 0 unchanged, 1 not found, 0 failed, 15 dropped; 1 kB received',
  );
});
