// node bench/compare-builds.ts FORMER STATE [--site python] [--rounds 3] [--libraries FORMER_LIB,LIB --questions Q.jsonl]:
// processor time of this checkout against a former one, run by turns so that a busy machine is busy for both.
//
// FORMER is another checkout with its packages installed. Both need `npm run build`. STATE is a folder served by
// test/corpora/serve-corpora.sh. Each round crawls the site once with each build into an empty library; with --libraries,
// it also runs bench/search-latency.ts of each checkout over the library that it crawled itself. The cheapest round of
// each counts, and the ratios of all rounds are kept.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCorpora } from '../test/incremental/corpora.ts';
import { crawlArgs, crawlEnv, pagesCrawled } from './support/crawl-program.ts';
import { childrenCpuMs } from './support/processor-time.ts';
import { writeResult } from './support/write-result.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    site: { type: 'string', default: 'python' },
    rounds: { type: 'string', default: '3' },
    libraries: { type: 'string' },
    questions: { type: 'string' },
  },
});
const [former, state] = positionals;
if (former === undefined || state === undefined) throw new Error('usage: node bench/compare-builds.ts FORMER STATE');

const here = join(import.meta.dirname, '..');
const builds = { former, current: here };
type Build = keyof typeof builds;
const names = Object.keys(builds) as Build[];
const rounds = Number(values.rounds);

const url = `${openCorpora(state).site(values.site).origin}/`;

function crawlCpuMsPerPage(checkout: string): number {
  const directory = mkdtempSync(join(tmpdir(), 'pinakes-compare-'));
  const options = { env: crawlEnv(directory), encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  const before = childrenCpuMs();
  const { stdout, stderr } = spawnSync(process.execPath, crawlArgs(checkout, url, 'basic'), options);
  const spentMs = childrenCpuMs() - before;
  rmSync(directory, { recursive: true });
  if (stdout === '') throw new Error(stderr.slice(-500));
  return spentMs / pagesCrawled(stdout);
}

interface Latency {
  readonly all: { readonly p50: number; readonly p95: number };
  readonly oneSource: { readonly p50: number; readonly p95: number };
}

function searchLatency(checkout: string, library: string): Latency {
  const [script = ''] = ['bench/search/search-latency.ts', 'bench/search-latency.ts'].filter((path) =>
    existsSync(join(checkout, path)),
  );
  const file = join(checkout, 'bench/results/search-latency.json');
  const before = readFileSync(file);
  try {
    const args = [script, library, values.questions ?? '', `${library}.fts.db`];
    execFileSync(process.execPath, args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
    return JSON.parse(readFileSync(file, 'utf8')) as Latency;
  } finally {
    writeFileSync(file, before);
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

function compared(measured: ReadonlyArray<Record<Build, number>>): Record<string, unknown> {
  const best = (build: Build): number => Math.min(...measured.map((each) => each[build]));
  return {
    former: round(best('former')),
    current: round(best('current')),
    ratio: round(best('current') / best('former')),
    ratios: measured.map((each) => round(each.current / each.former)),
  };
}

function byTurns<T>(measure: (build: Build) => T): Array<Record<Build, T>> {
  return Array.from({ length: rounds }, (_, nth) => {
    const order = nth % 2 === 0 ? names : names.toReversed();
    const measured = Object.fromEntries(order.map((build) => [build, measure(build)])) as Record<Build, T>;
    console.log(JSON.stringify(measured));
    return measured;
  });
}

const crawl = byTurns((build) => crawlCpuMsPerPage(builds[build]));
const results: Record<string, unknown> = { site: values.site, rounds, crawlCpuMsPerPage: compared(crawl) };
if (values.libraries !== undefined) {
  const [formerLibrary = '', currentLibrary = ''] = values.libraries.split(',');
  const libraries = { former: formerLibrary, current: currentLibrary };
  const latencies = byTurns((build) => searchLatency(builds[build], libraries[build]));
  for (const scope of ['all', 'oneSource'] as const) {
    for (const share of ['p50', 'p95'] as const) {
      results[`searchCpuMs ${scope} ${share}`] = compared(
        latencies.map(({ former: a, current: b }) => ({ former: a[scope][share], current: b[scope][share] })),
      );
    }
  }
}
// The folders have other names on the next machine.
process.argv.splice(2, process.argv.length, 'FORMER', 'STATE', '--site', values.site, '--rounds', values.rounds);
writeResult('compare-builds', { formerCommit: commitOf(former), ...results });
console.log(JSON.stringify(results, null, 2));

function commitOf(checkout: string): string {
  return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
}
