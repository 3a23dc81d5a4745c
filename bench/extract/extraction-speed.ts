// Measures the CPU of extraction: against htmlparser2 parsing the same pages and doing nothing, and as a page grows.
//
//   taskset -c 0 node bench/extract/extraction-speed.ts STATE [--extractor ours|mdream] [--dry]
//
// Pages come from the tuned families only. Writes bench/results/extraction-speed.json.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { parseDocument, Parser } from 'htmlparser2';
import { htmlToMarkdown } from 'mdream';
import { samplePages } from '../../test/data/extraction/sample.ts';
import { openOurs } from './extraction-ours.ts';
import { growingPages } from './extraction-growth.ts';

const PAGES_PER_SITE = 60;
const ONLY_UNSEEN = new Set([
  'openjdk',
  'gradle',
  'eigen',
  'cppreference',
  'qt',
  'glib',
  'postgres',
  'boost',
  'erlang',
  'postfix',
]);
const ROUNDS = 5;
/** A shorter measurement is repeated until it has taken this long. */
const MIN_CPU_MS = 300;

type Extract = (url: string, html: string) => unknown;
interface Page {
  readonly url: string;
  readonly html: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { extractor: { type: 'string', default: 'ours' }, dry: { type: 'boolean', default: false } },
});
const state = positionals[0];
if (state === undefined) throw new Error('usage: extraction-speed.ts STATE [--extractor ours|mdream] [--dry]');

const extract: Extract | null = values.extractor === 'ours' ? await openOurs() : (_, html) => htmlToMarkdown(html);
if (extract === null) {
  console.log('Nothing measured: src/core/extract/html/extract-html.ts is missing.');
} else {
  const results = { ...about(), pages: comparePages(extract, tunedPages(state)), growth: growthOf(extract) };
  console.log(JSON.stringify(results, null, 2));
  if (!values.dry) {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync('bench/results/extraction-speed.json', `${JSON.stringify(results, null, 2)}\n`);
  }
}

function about() {
  return {
    command: `node bench/extract/extraction-speed.ts STATE ${process.argv.slice(3).join(' ')}`.trim(),
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    extractor: values.extractor,
  };
}

function tunedPages(folder: string): Page[] {
  const pages: Page[] = [];
  for (const { url, html, family } of samplePages(folder, PAGES_PER_SITE, (site) => !ONLY_UNSEEN.has(site))) {
    if (family.split === 'tuned') pages.push({ url, html });
  }
  return pages;
}

/** The three are measured alternately, so that a busy machine affects all of them. */
function comparePages(extractor: Extract, pages: readonly Page[]) {
  const rounds = Array.from({ length: ROUNDS + 1 }, () => ({
    parserMs: cpuMs(() => pages.forEach(({ html }) => parseAndForget(html))),
    treeMs: cpuMs(() => pages.forEach(({ html }) => parseDocument(html))),
    extractMs: cpuMs(() => pages.forEach(({ url, html }) => extractor(url, html))),
  })).slice(1);
  const parserMs = median(rounds.map((round) => round.parserMs));
  const treeMs = median(rounds.map((round) => round.treeMs));
  const extractMs = median(rounds.map((round) => round.extractMs));
  return {
    count: pages.length,
    megabytes: rounded(pages.reduce((sum, { html }) => sum + html.length, 0) / 1e6),
    rounds: ROUNDS,
    parserMs: rounded(parserMs),
    treeMs: rounded(treeMs),
    extractMs: rounded(extractMs),
    pagesPerCpuSecond: rounded((pages.length / extractMs) * 1000),
    ratioToParser: rounded(median(rounds.map((round) => round.extractMs / round.parserMs))),
    ratioToTree: rounded(median(rounds.map((round) => round.extractMs / round.treeMs))),
    bar: 'ratioToParser ≤ 3',
  };
}

function parseAndForget(html: string): void {
  new Parser({}).end(html);
}

function growthOf(extractor: Extract) {
  return Object.fromEntries(
    growingPages().map(({ shape, sizes }) => {
      const points = sizes.map(({ bytes, html }) => ({
        bytes,
        nanosecondsPerByte: rounded(
          (cpuPerCall(() => extractor('https://growth.docs.test/page', html)) * 1e6) / html.length,
        ),
      }));
      const [first, last] = [points[1], points.at(-1)];
      // 1 is linear, 2 is quadratic: the slope between 100 kB and the largest page.
      const exponent =
        first === undefined || last === undefined
          ? null
          : rounded(
              1 + Math.log(last.nanosecondsPerByte / first.nanosecondsPerByte) / Math.log(last.bytes / first.bytes),
            );
      return [shape, { exponent, points }];
    }),
  );
}

function cpuPerCall(call: () => unknown): number {
  call();
  let calls = 0;
  let spent = 0;
  while (spent < MIN_CPU_MS) {
    spent += cpuMs(call);
    calls += 1;
  }
  return spent / calls;
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
