// node bench/store/settle-pages.ts FORMER [--pages 4000]: CPU time of settling new and changed pages, of this checkout against a former
// one. Both run in one process, one settlement of each alternately, so that whatever else the machine does slows down both. On
// PostgreSQL (PINAKES_TEST_POSTGRES_URL, on this machine) with the time of the server. A page has 8 chunks of 1,200 characters.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type * as hashModule from '../../src/core/model/hash.ts';
import type { Claim } from '../../src/store/port/frontier.ts';
import type { Run, RunLease } from '../../src/store/port/runs.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { createRunFixture, createSettlement, frontierEntry, indexedOutcome } from '../../test/support/run-fixture.ts';
import { openPostgres, openSqlite, type Opened } from '../support/open-checkout.ts';
import { writeResult } from '../support/write-result.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string', default: '4000' } },
});
const [former] = positionals;
if (former === undefined) throw new Error('usage: node bench/store/settle-pages.ts FORMER [--pages 4000]');
const PAGES = Number(values.pages);
const SETTLE = 20;
const CHUNKS = 8;

type Open = (checkout: string) => Promise<Opened>;

const load = (checkout: string, path: string): Promise<unknown> => import(join(checkout, path));

interface Side extends Opened {
  readonly source: Source;
  readonly run: Run;
  readonly lease: RunLease;
  claims: Claim[];
  readonly spentMs: number[];
}

async function begin(opened: Opened, of?: Source): Promise<Side> {
  const fixture = await createRunFixture(opened.store, [], of);
  const entries = Array.from({ length: PAGES }, (_, n) => frontierEntry(`https://x.dev/${n}`));
  await opened.store.frontier.enqueue(fixture.run.id, entries);
  const request = { worker: 'w', leaseMs: 600_000, aheadMs: 1_000_000 };
  const claims: Claim[] = [];
  while (claims.length < PAGES) claims.push(...(await opened.store.frontier.claim({ ...request, limit: 1000 })));
  return { ...opened, ...fixture, claims, spentMs: [] };
}

async function settleSome(side: Side, word: string): Promise<void> {
  const settlements = side.claims.splice(0, SETTLE).map((claim) => {
    const texts = Array.from({ length: CHUNKS }, (_, n) => textOf(claim.url, n, word));
    return createSettlement(claim, indexedOutcome(claim.url, ...texts));
  });
  const before = side.cpu();
  await side.store.frontier.settle(settlements);
  side.spentMs.push((side.cpu() - before) / settlements.length);
}

/** Half of the chunks of a page change. */
function textOf(url: string, n: number, word: string): string {
  return `${url} ${n} ${n % 2 === 0 ? 'same' : word} `.padEnd(1200, 'lorem ipsum dolor ');
}

async function settleByTurns(sides: readonly [Side, Side], word: string): Promise<Record<string, number>> {
  const [a, b] = sides;
  for (let turn = 0; a.claims.length > 0; turn += 1) {
    await settleSome(turn % 2 === 0 ? a : b, word);
    await settleSome(turn % 2 === 0 ? b : a, word);
  }
  for (const { store, lease } of sides) await store.runs.finish(lease, 'completed', null);
  const [before, now] = [median(a.spentMs), median(b.spentMs)];
  const ratios = b.spentMs.map((ms, i) => ms / (a.spentMs[i] ?? ms));
  return {
    formerCpuMsPerPage: round(before),
    cpuMsPerPage: round(now),
    ratioOfMedians: round(now / before),
    medianOfRatios: round(median(ratios)),
  };
}

/** As the program does when it starts. */
async function useNativeHash(checkout: string): Promise<void> {
  const { setNativeSha256 } = (await load(checkout, 'src/core/model/hash.ts')) as typeof hashModule;
  setNativeSha256((data) => hash('sha256', data));
}

async function compare(open: Open, other: string): Promise<Record<string, unknown>> {
  const [a, b] = [await open(other), await open(join(import.meta.dirname, '../..'))];
  const first: [Side, Side] = [await begin(a), await begin(b)];
  const fresh = await settleByTurns(first, 'one');
  const second: [Side, Side] = [await begin(a, first[0].source), await begin(b, first[1].source)];
  const changed = await settleByTurns(second, 'two');
  await a.close();
  await b.close();
  return { new: fresh, changed };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((x, y) => x - y)[Math.floor(numbers.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const formerCommit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: former, encoding: 'utf8' });
for (const checkout of [former, join(import.meta.dirname, '../..')]) await useNativeHash(checkout);
const sqlite = await compare(openSqlite, former);
const postgres =
  process.env['PINAKES_TEST_POSTGRES_URL'] === undefined ? 'not measured' : await compare(openPostgres, former);
process.argv.splice(2, process.argv.length, 'FORMER', '--pages', values.pages);
writeResult('settle-pages', { formerCommit: formerCommit.trim(), pages: PAGES, sqlite, postgres });
