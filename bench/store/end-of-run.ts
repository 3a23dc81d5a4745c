// node bench/store/end-of-run.ts PREVIOUS [--pages 20000]: CPU time and memory of the end of a run, of this checkout against a previous one: of the
// first run, of a recrawl in which one page changed, and of a run of that page alone. Each checkout has its own process. On PostgreSQL
// (PINAKES_TEST_POSTGRES_URL, on this machine) with the time of the server. Of 50 pages one is a copy, one in ten declares another
// one canonical, and each links to 30.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type * as hashModule from '../../src/core/model/hash.ts';
import { pageUrl, urlKey, type PageUrl } from '../../src/core/model/page-url.ts';
import type * as finalizeModule from '../../src/crawl/run/finalize-run.ts';
import type { Store } from '../../src/store/port.ts';
import type { Claim, Outcome } from '../../src/store/port/frontier.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { createRunFixture, createSettlement, frontierEntry, indexedOutcome } from '../../test/support/run-fixture.ts';
import { openPostgres, openSqlite, type Opened } from '../support/open-checkout.ts';
import { writeResult } from '../support/write-result.ts';

const HERE = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '20000' },
    /** The engine, for a process that measures one checkout. */
    measure: { type: 'string' },
  },
});
const [previous] = positionals;
if (previous === undefined) throw new Error('usage: node bench/store/end-of-run.ts PREVIOUS [--pages 20000]');
const PAGES = Number(values.pages);
const LINKS = 30;
const SETTLE = 50;

const urlOf = (n: number): PageUrl => pageUrl(`https://x.dev/${n % PAGES}`);

function contentOf(url: PageUrl, word: string): Outcome {
  const n = Number(url.split('/').at(-1));
  const text = `${word} ${n % 50 === 0 ? n + 1 : n} `.padEnd(500, 'lorem ipsum dolor ');
  const outcome = indexedOutcome(url, text) as Extract<Outcome, { kind: 'indexed' }>;
  const targets = Array.from({ length: LINKS }, (_, i) => urlOf(i < LINKS / 2 ? i : n * 7919 + i * 104_729));
  const outlinks = targets.map((target) => urlKey(target));
  return { ...outcome, page: { ...outcome.page, canonical: n % 10 === 5 ? urlOf(n + 1) : null, outlinks } };
}

async function settleAll(store: Store, outcomeOf: (claim: Claim) => Outcome): Promise<void> {
  for (;;) {
    const claims = await store.frontier.claim({ worker: 'w', leaseMs: 600_000, aheadMs: 1_000_000, limit: SETTLE });
    if (claims.length === 0) return;
    await store.frontier.settle(claims.map((claim) => createSettlement(claim, outcomeOf(claim))));
  }
}

interface Measured {
  readonly cpuMs: number;
  readonly ms: number;
  /** More than before, at most. */
  readonly heapMB: number;
}

async function measureEnd(checkout: string, opened: Opened, work: (source?: Source) => Promise<Source>, of?: Source) {
  const { finalizeRun } = (await import(join(checkout, 'src/crawl/run/finalize-run.ts'))) as typeof finalizeModule;
  const { store, cpu } = opened;
  const source = await work(of);
  const [run] = await store.runs.list(1, source.id);
  const lease = leases.get(run?.id ?? -1);
  if (lease === undefined) throw new Error('no lease');
  const rules = { startUrl: urlOf(0), settings: { confirmRemovals: false, maxPages: PAGES * 2 } };
  const deps = {
    ports: { store, parser: { pipelineVersions: async () => ['test/1'] } },
    limits: {},
    report: async () => undefined,
    loadRunRules: async () => rules,
    openLocalSource: async () => null,
  };
  const options = { isLocal: false, reprocess: { canonicalOf: () => null, packageName: null }, aborted: null };
  globalThis.gc?.();
  const heap = (): number => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const before = heap();
  let peak = before;
  const sampling = setInterval(() => (peak = Math.max(peak, heap())), 2);
  const [startedAt, cpuBefore] = [performance.now(), cpu()];
  await finalizeRun(lease, deps as never, { ...options, cutAt: null }, AbortSignal.timeout(3_600_000));
  const measured: Measured = {
    cpuMs: Math.round(cpu() - cpuBefore),
    ms: Math.round(performance.now() - startedAt),
    heapMB: Math.round((Math.max(peak, heap()) - before) / 1e5) / 10,
  };
  clearInterval(sampling);
  return { source, measured };
}

const leases = new Map<number, Awaited<ReturnType<typeof createRunFixture>>['lease']>();

async function begin(store: Store, urls: readonly string[], of?: Source): Promise<Source> {
  const { source, lease, run } = await createRunFixture(store, [], of);
  leases.set(run.id, lease);
  for (let at = 0; at < urls.length; at += 1000)
    await store.frontier.enqueue(
      run.id,
      urls.slice(at, at + 1000).map((url) => frontierEntry(url)),
    );
  return source;
}

const all = Array.from({ length: PAGES }, (_, n) => urlOf(n));
const CHANGED = urlOf(3);
const UNCHANGED: Outcome = { kind: 'unchanged', etag: null, lastModified: null };

async function measure(checkout: string, engine: string): Promise<Record<string, Measured>> {
  const { setNativeSha256 } = (await import(join(checkout, 'src/core/model/hash.ts'))) as typeof hashModule;
  setNativeSha256((data) => hash('sha256', data));
  const opened = await (engine === 'sqlite' ? openSqlite : openPostgres)(checkout);
  const { store } = opened;
  const crawl = (urls: readonly string[], outcomeOf: (url: PageUrl) => Outcome) => async (of?: Source) => {
    const source = await begin(store, urls, of);
    await settleAll(store, ({ url }) => outcomeOf(url));
    return source;
  };
  const first = await measureEnd(
    checkout,
    opened,
    crawl(all, (url) => contentOf(url, 'first')),
  );
  const oneOf = (url: PageUrl): Outcome => (url === CHANGED ? contentOf(url, 'second') : UNCHANGED);
  const recrawl = await measureEnd(checkout, opened, crawl(all, oneOf), first.source);
  const third = crawl([CHANGED], (url) => contentOf(url, 'third'));
  const single = await measureEnd(checkout, opened, third, first.source);
  await opened.close();
  return { firstRun: first.measured, recrawlWithOneChange: recrawl.measured, onePage: single.measured };
}

function measureApart(checkout: string, engine: string): unknown {
  const args = ['--expose-gc', import.meta.filename, checkout, '--pages', values.pages, '--measure', engine];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

if (values.measure !== undefined) {
  console.log(JSON.stringify(await measure(previous, values.measure)));
  process.exit(0);
}
const previousCommit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
  cwd: previous,
  encoding: 'utf8',
}).trim();
const compare = (engine: string) => ({ previous: measureApart(previous, engine), now: measureApart(HERE, engine) });
const sqlite = compare('sqlite');
const postgres = process.env['PINAKES_TEST_POSTGRES_URL'] === undefined ? 'not measured' : compare('postgres');
process.argv.splice(2, process.argv.length, 'PREVIOUS', '--pages', values.pages);
writeResult('end-of-run', { previousCommit, pages: PAGES, sqlite, postgres });
