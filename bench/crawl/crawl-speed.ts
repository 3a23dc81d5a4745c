// Compares the cost of a crawl, from fetch to searchable, with Crawlee and with a bare loop over the same pages, on loopback
// without a rate limit. CPU time is that of a whole process with all its threads.
//
//   node bench/crawl/crawl-speed.ts STATE [--site python] [--rounds 1] [--memory rust]
//
// STATE is a folder served by test/data/corpora/serve-corpora.sh. Needs `npm run build`, and the registry: Crawlee is installed
// into a temporary folder. `--memory SITE` crawls only that site and samples the memory of the process instead.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCorpora } from '../../test/support/corpora.ts';
import { crawlArgs, crawlEnv, pagesCrawled } from '../support/crawl-program.ts';
import { watch, type Watched } from '../support/watch-process.ts';
import { writeResult } from '../support/write-result.ts';

const CRAWLEE = '@crawlee/cheerio@3.18.1';
const SITES = [
  { name: 'python', preset: 'basic' },
  // We fetch it as Markdown: llms.txt lists the pages, and each has a Markdown variant. The competitors fetch its HTML.
  { name: 'mastra', preset: 'llms-first' },
] as const;
const TARGETS = { ofCrawlee: 0.6, ofBare: 5, rateOfCrawlee: 2, memoryMegabytes: 400 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    site: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    memory: { type: 'string' },
  },
});
const [state = ''] = positionals;
// The result is read on other machines, where the folder has another name.
process.argv[process.argv.indexOf(state)] = 'STATE';
const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'pinakes-crawl-speed-'));
const resultFile = join(root, 'bench', 'results', 'crawl-speed.json');

interface Measurement {
  readonly pages: number;
  readonly seconds: number;
  readonly cpuMsPerPage: number;
  readonly pagesPerSecond: number;
  readonly peakMegabytes: number;
}

const startOf = (site: string): string => `${openCorpora(state).site(site).origin}/`;

function measurement({ seconds, cpuMs, peakMegabytes }: Watched, pages: number): Measurement {
  return {
    pages,
    seconds: round(seconds),
    cpuMsPerPage: round(cpuMs / pages),
    pagesPerSecond: round(pages / seconds),
    peakMegabytes: Math.round(peakMegabytes),
  };
}

function round(number: number): number {
  return Number(number.toFixed(2));
}

let libraries = 0;

async function crawlOurs(start: string, preset: string): Promise<{ watched: Watched; pages: number }> {
  libraries += 1;
  const directory = join(scratch, `data-${libraries}`);
  const watched = await watch(crawlArgs(root, start, preset), crawlEnv(directory));
  rmSync(directory, { recursive: true });
  return { watched, pages: pagesCrawled(watched.answer) };
}

async function crawlCompetitor(script: string, start: string, more: readonly string[]): Promise<Measurement> {
  libraries += 1;
  const env = { ...process.env, CRAWLEE_STORAGE_DIR: join(scratch, `data-${libraries}`) };
  const watched = await watch([join(import.meta.dirname, script), start, '1000000', ...more], env);
  return measurement(watched, (JSON.parse(watched.answer) as { pages: number }).pages);
}

/** Crawlee with its defaults, which keep its queue on disk as we do, and with everything off that can be turned off. */
type Crawler = 'ours' | 'crawlee' | 'crawleeLean' | 'bare';

/** The cheapest round of each, measured alternately, so that a busy machine affects all of them. */
async function compare(site: (typeof SITES)[number], crawlee: string): Promise<Record<string, unknown>> {
  const start = startOf(site.name);
  const rounds: Array<Record<Crawler, Measurement>> = [];
  for (let nth = 0; nth < Number(values.rounds); nth += 1) {
    const { watched, pages } = await crawlOurs(start, site.preset);
    const ours = measurement(watched, pages);
    const standard = await crawlCompetitor('crawl-competitor-crawlee.ts', start, [crawlee, 'standard']);
    const lean = await crawlCompetitor('crawl-competitor-crawlee.ts', start, [crawlee, 'lean']);
    const bare = await crawlCompetitor('crawl-competitor-bare.ts', start, []);
    rounds.push({ ours, crawlee: standard, crawleeLean: lean, bare });
    console.log(site.name, JSON.stringify(rounds.at(-1)));
  }
  const best = (name: Crawler): Measurement =>
    rounds.map((each) => each[name]).reduce((a, b) => (a.cpuMsPerPage <= b.cpuMsPerPage ? a : b));
  const [ours, standard, lean, bare] = [best('ours'), best('crawlee'), best('crawleeLean'), best('bare')];
  return {
    preset: site.preset,
    ours,
    crawlee: standard,
    crawleeLean: lean,
    bare,
    cpuOfCrawlee: round(ours.cpuMsPerPage / standard.cpuMsPerPage),
    cpuOfCrawleeLean: round(ours.cpuMsPerPage / lean.cpuMsPerPage),
    cpuOfBare: round(ours.cpuMsPerPage / bare.cpuMsPerPage),
    rateOfCrawlee: round(ours.pagesPerSecond / standard.pagesPerSecond),
    rateOfCrawleeLean: round(ours.pagesPerSecond / lean.pagesPerSecond),
  };
}

/** Keeps the former figures of sites that are not measured now. */
async function compareAll(before: unknown): Promise<Record<string, unknown>> {
  const crawlee = join(scratch, 'crawlee');
  execFileSync('npm', ['install', '--prefix', crawlee, '--no-audit', '--no-fund', '--ignore-scripts', CRAWLEE], {
    stdio: 'ignore',
  });
  const sites: Record<string, unknown> = { ...(before as Record<string, unknown> | undefined) };
  const chosen = SITES.filter(({ name }) => values.site === undefined || values.site === name);
  for (const site of chosen) sites[site.name] = await compare(site, crawlee);
  return { crawlee: CRAWLEE, sites };
}

/** Memory at each twentieth of the crawl; flat means that the second half needs no more than the first. */
async function watchMemory(site: string): Promise<Record<string, unknown>> {
  const { watched, pages } = await crawlOurs(startOf(site), 'basic-with-sitemap');
  const twentieth = Math.max(1, Math.floor(watched.samples.length / 20));
  const megabytes = watched.samples
    .filter((_, nth) => nth % twentieth === 0)
    .map((sample) => Math.round(sample.megabytes));
  return { memory: { site, ...measurement(watched, pages), megabytes } };
}

try {
  const text = existsSync(resultFile) ? readFileSync(resultFile, 'utf8') : '{}';
  const before = JSON.parse(text) as Record<string, unknown>;
  const measured = values.memory === undefined ? await compareAll(before['sites']) : await watchMemory(values.memory);
  const { crawlee, sites, memory } = { ...before, ...measured };
  writeResult('crawl-speed', { bars: TARGETS, crawlee, sites, memory });
} finally {
  rmSync(scratch, { recursive: true });
}
