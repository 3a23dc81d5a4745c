// node bench/compare-builds.ts FORMER STATE [--site python] [--rounds 3] [--no-crawl] [--libraries FORMER_LIB,LIB
// --questions Q.jsonl [--sites a,b] [--scopes site,all]] [--write NAME]: CPU time of this checkout against a former one, run
// alternately so that a busy machine is busy for both.
//
// FORMER is another checkout with its packages installed. STATE is a folder served by test/data/corpora/serve-corpora.sh. Each round
// crawls the site once with each build, which take `npm run build`, into an empty library; with --libraries, it also runs
// bench/search/eval.ts of each checkout over the library that it crawled itself. The cheapest round of
// each counts, and the ratios of all rounds are kept.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCorpora } from '../test/support/corpora.ts';
import { crawlArgs, crawlEnv, pagesCrawled } from './support/crawl-program.ts';
import { childrenCpuMs } from './support/processor-time.ts';
import { writeResult } from './support/write-result.ts';

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: {
    site: { type: 'string', default: 'python' },
    rounds: { type: 'string', default: '3' },
    libraries: { type: 'string' },
    questions: { type: 'string' },
    sites: { type: 'string' },
    scopes: { type: 'string', default: 'site,all' },
    crawl: { type: 'boolean', default: true },
    write: { type: 'string', default: 'compare-builds' },
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

interface SearchCpu {
  readonly p50: number;
  readonly p95: number;
}

/** CPU milliseconds of a question with its answer, as each checkout answers it. */
function searchCpu(checkout: string, library: string, scope: string): SearchCpu {
  const sites = values.sites === undefined ? [] : ['--sites', values.sites];
  const args = ['bench/search/eval.ts', values.questions ?? '', '--library', library, '--scope', scope, ...sites];
  const options = { cwd: checkout, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  return (JSON.parse(execFileSync(process.execPath, args, options)) as { readonly cpuMs: SearchCpu }).cpuMs;
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

function interleaved<T>(measure: (build: Build) => T): Array<Record<Build, T>> {
  return Array.from({ length: rounds }, (_, nth) => {
    const order = nth % 2 === 0 ? names : names.toReversed();
    const measured = Object.fromEntries(order.map((build) => [build, measure(build)])) as Record<Build, T>;
    console.log(JSON.stringify(measured));
    return measured;
  });
}

const results: Record<string, unknown> = { site: values.sites ?? values.site, rounds };
if (values.crawl) results['crawlCpuMsPerPage'] = compared(interleaved((build) => crawlCpuMsPerPage(builds[build])));
if (values.libraries !== undefined) {
  const [previousLibrary = '', currentLibrary = ''] = values.libraries.split(',');
  const libraries = { former: previousLibrary, current: currentLibrary };
  for (const scope of values.scopes.split(',')) {
    const measured = interleaved((build) => searchCpu(builds[build], libraries[build], scope));
    for (const share of ['p50', 'p95'] as const) {
      results[`answerCpuMs ${scope} ${share}`] = compared(
        measured.map(({ former: a, current: b }) => ({ former: a[share], current: b[share] })),
      );
    }
  }
}
// The folders have other names on the next machine.
const chosen =
  values.sites === undefined ? ['--site', values.site] : ['--sites', values.sites, '--scopes', values.scopes];
process.argv.splice(2, process.argv.length, 'FORMER', 'STATE', ...chosen, '--rounds', values.rounds);
writeResult(values.write, { formerCommit: commitOf(former), ...results });
console.log(JSON.stringify(results, null, 2));

function commitOf(checkout: string): string {
  return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
}
