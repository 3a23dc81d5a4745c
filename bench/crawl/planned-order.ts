// Measures the benefit of a plan on real sites: which share of the pages that menus name and questions need a run with a limit of 20 %
// of the pages stores, against the usual order; whether both store the same pages without a limit; how good the forecast is after 10 %; and
// what the plan costs.
//
//   node bench/crawl/planned-order.ts STATE QUESTIONS.jsonl [--sites a,b]
//
// STATE is a folder served by test/data/corpora/serve-corpora.sh; each line of the questions has `site`, `id` and `gold: [{ url_path, rel }]`.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { SourceSettings } from '../../src/core/model/source-settings.ts';
import type { RunId } from '../../src/core/model/run.ts';
import { storedPages } from '../../src/core/model/outcome.ts';
import { createCrawler, type Crawler } from '../../test/support/crawl.ts';
import { openCorpora } from '../../test/support/corpora.ts';
import { cpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { sites: { type: 'string' } } });
const [state = '', questionsFile = ''] = positionals;
const LIMITED = 0.2;
const FORECAST_AFTER = 0.1;
const MAX_MINUTES = 20;

interface Question {
  readonly site: string;
  readonly gold: ReadonlyArray<{ readonly url_path: string; readonly rel: number }>;
}

interface Estimate {
  readonly pages: number;
  readonly low: number;
  readonly high: number;
}

interface Crawled {
  readonly urls: ReadonlySet<string>;
  /** Hash of all chunk ids. */
  readonly digest: string;
  readonly menu: ReadonlySet<string>;
  readonly requests: number;
  readonly cpuMs: number;
  readonly estimate: Estimate | null;
  /** The stored order of the queue at its last ranking. */
  readonly hubs: readonly string[];
}

/** `forecastAt`: the number of stored pages at which the estimate is read. */
async function crawl(origin: string, settings: Partial<SourceSettings>, forecastAt = 0): Promise<Crawled> {
  const crawler = await createCrawler();
  const before = cpuMs();
  try {
    const run = await crawler.start(`${origin}/`, settings);
    const estimate = forecastAt === 0 ? null : await estimateAfter(forecastAt, run, crawler);
    const { version, counts } = await crawler.ended(run, MAX_MINUTES * 60_000);
    const spent = cpuMs() - before;
    const urls = await crawler.stored();
    const digest = createHash('sha256');
    for (const url of urls)
      for (const { id } of await crawler.store.pages.chunksOf(version, url as never)) digest.update(id);
    const menus = (await crawler.store.analysis.navigation(version, 100)).flat();
    const stored = new Set(urls);
    const milestones = await crawler.store.journal.milestones(run);
    const seeds = milestones.find(({ kind }) => kind === 'seeds-prepared')?.details['urls'];
    return {
      urls: stored,
      digest: digest.digest('hex').slice(0, 16),
      menu: new Set(menus.map(({ url }) => url as string).filter((url) => stored.has(url))),
      requests: counts.requests,
      cpuMs: spent,
      estimate,
      hubs: Array.isArray(seeds) ? (seeds as string[]) : [],
    };
  } finally {
    await crawler.close();
  }
}

/** The first estimate after so many pages were stored; null if the run ended before. */
async function estimateAfter(pages: number, run: RunId, { store }: Crawler): Promise<Estimate | null> {
  for (;;) {
    const at = await store.runs.byId(run);
    if (at === null || at.endedAt !== null) return null;
    if (storedPages(at.counts) >= pages) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const before = (await store.plans.load(run))?.progress;
  for (;;) {
    const progress = (await store.plans.load(run))?.progress;
    const isNew = progress != null && progress['settled'] !== before?.['settled'];
    if (isNew || (await store.runs.byId(run))?.endedAt !== null)
      return (progress?.['estimate'] as Estimate | undefined) ?? null;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
const shareOf = (wanted: Iterable<string>, stored: ReadonlySet<string>): number => {
  const all = [...wanted];
  return all.length === 0 ? 1 : all.filter((url) => stored.has(url)).length / all.length;
};

function answerable(questions: readonly Question[], origin: string, stored: ReadonlySet<string>): number {
  const isStored = ({ gold }: Question): boolean =>
    gold.some(({ url_path: path, rel }) => rel === 2 && stored.has(origin + path.replace(/#.*/, '')));
  return questions.length === 0 ? 1 : questions.filter(isStored).length / questions.length;
}

async function measureSite(name: string, origin: string, questions: readonly Question[]) {
  const plain = await crawl(origin, {});
  const planned = await crawl(origin, { preset: 'intelligent' });
  const pages = plain.urls.size;
  const again = await crawl(origin, { preset: 'intelligent' }, Math.ceil(pages * FORECAST_AFTER));
  const maxPages = Math.max(1, Math.ceil(pages * LIMITED));
  const plainPart = await crawl(origin, { maxPages });
  const plannedPart = await crawl(origin, { preset: 'intelligent', maxPages });
  const answered = questions.filter((question) => answerable([question], origin, plain.urls) === 1);
  const measured = (part: Crawled) => ({
    menu: round(shareOf(plain.menu, part.urls)),
    questions: round(answerable(answered, origin, part.urls)),
  });
  return {
    name,
    pages,
    inMenus: plain.menu.size,
    /** A run with the limit can store no greater share of the pages in menus. */
    mostInMenus: round(Math.min(1, maxPages / Math.max(1, plain.menu.size))),
    questions: answered.length,
    isEqual: plain.digest === planned.digest && planned.urls.size === pages,
    isRepeatable: planned.hubs.join(' ') === again.hubs.join(' ') && planned.digest === again.digest,
    plain: measured(plainPart),
    planned: measured(plannedPart),
    estimate: again.estimate,
    moreRequests: planned.requests - plain.requests,
    cpuShare: round(planned.cpuMs / plain.cpuMs),
  };
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? Number.NaN;

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

const questions = readFileSync(questionsFile, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Question);
const chosen = values.sites?.split(',') ?? null;
const sites: Array<Awaited<ReturnType<typeof measureSite>>> = [];
for (const { name, origin } of openCorpora(state).sites()) {
  if (chosen !== null && !chosen.includes(name)) continue;
  const measured = await measureSite(
    name,
    origin,
    questions.filter(({ site }) => site === name),
  );
  process.stderr.write(`${JSON.stringify(measured)}\n`);
  sites.push(measured);
}

const ratioOf = (what: 'menu' | 'questions') =>
  sites.map(({ plain, planned }) => (plain[what] === 0 ? (planned[what] === 0 ? 1 : 9) : planned[what] / plain[what]));
const forecasts = sites.filter(({ estimate }) => estimate !== null);
writeResult('planned-order', {
  sites,
  menuRatio: { median: round(median(ratioOf('menu'))), least: round(Math.min(...ratioOf('menu'))) },
  meanQuestions: {
    plain: round(mean(sites.map(({ plain }) => plain.questions))),
    planned: round(mean(sites.map(({ planned }) => planned.questions))),
  },
  questionRatio: { median: round(median(ratioOf('questions'))), least: round(Math.min(...ratioOf('questions'))) },
  equal: sites.filter(({ isEqual }) => isEqual).length,
  repeatable: sites.filter(({ isRepeatable }) => isRepeatable).length,
  forecastWithin25: forecasts.filter(({ estimate, pages }) => Math.abs(estimate!.pages - pages) <= pages / 4).length,
  forecastBetween: forecasts.filter(({ estimate, pages }) => estimate!.low <= pages && pages <= estimate!.high).length,
  mostRequests: Math.max(...sites.map(({ moreRequests }) => moreRequests)),
  cpuShare: { median: median(sites.map(({ cpuShare }) => cpuShare)) },
});
