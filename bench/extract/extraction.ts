// Compares extraction quality with other extractors, by family, over a sample of the corpora.
//
//   node bench/extract/extraction-truths.ts STATE .state/extraction-truths.jsonl
//   node bench/extract/extraction.ts STATE [--only ours,mdream] [--split tuned|unseen|synthetic] [--every 5] [--unseen] [--truths FILE] [--dry]
//
// Ours runs on the unseen families only with --unseen, and then the result is always written: the first figures are saved
// as firstUnseen and never changed. --every 5 uses every fifth page of the corpora, for slow extractors.
// Writes bench/results/extraction.json. An extractor that is not run keeps its last figures.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { syntheticPages } from '../../test/data/extraction/synthetic-pages.ts';
import { decode } from '../../test/data/extraction/sample.ts';
import { scorePage } from '../../test/data/extraction/score.ts';
import type { Truth } from '../../test/data/extraction/truth.ts';
import {
  addScore,
  metricsOf,
  noSums,
  type Metrics,
  type Measured,
  type Results,
  type Sums,
} from './extraction-metrics.ts';
import { openOurs } from './extraction-ours.ts';
import { competitors } from './extraction-competitors.ts';
import { tableOf } from './extraction-table.ts';
import { writeResult } from '../support/write-result.ts';

const RESULTS = 'bench/results/extraction.json';
const COMPETITOR_TIMEOUT_MS = 300_000;

interface TruthLine extends Truth {
  readonly site: string;
  readonly path: string;
  readonly url: string;
  readonly sha256: string;
  readonly family: string;
  readonly split: string;
  /** The page itself if it is in the repository; otherwise it is read from the corpora. */
  readonly html?: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    split: { type: 'string' },
    truths: { type: 'string', default: '.state/extraction-truths.jsonl' },
    every: { type: 'string', default: '1' },
    unseen: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});
const state = positionals[0];
if (state === undefined)
  throw new Error(
    'usage: extraction.ts STATE [--only ours,mdream] [--split tuned|unseen|synthetic] [--every 5] [--unseen] [--truths FILE] [--dry]',
  );

const truthText = readFileSync(values.truths, 'utf8');
const ofCorpora = truthText
  .trimEnd()
  .split('\n')
  .map((line): TruthLine => JSON.parse(line));
const truthsHash = createHash('sha256').update(truthText).digest('hex');
const chosen = [...ofCorpora.filter((_, n) => n % Number(values.every) === 0), ...ofSyntheticPages()].filter(
  (truth) => values.split === undefined || truth.split === values.split,
);
const chosenExtractors = values.only?.split(',');
const fresh: Record<string, Measured> = {};

const ours = await openOurs();
if (ours === null) console.log('Skipped ours: src/core/extract/html/extract-html.ts is missing.');
for (const name of ['ours', ...competitors.map((rival) => rival.name)]) {
  if (chosenExtractors !== undefined && !chosenExtractors.includes(name)) continue;
  if (name !== 'ours') fresh[name] = await runCompetitor(name);
  else if (ours !== null) fresh[name] = await runOurs(ours);
}

// Read only now: another run may have written its figures in the meantime.
const previous: Results | null = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : null;
const results: Results = {
  firstUnseen: previous?.firstUnseen ?? firstUnseen(fresh['ours']),
  extractors: { ...previous?.extractors, ...mergedWith(previous) },
};
console.log(tableOf(results));
if (!values.dry || values.unseen) {
  writeResult('extraction', { ...results });
}

/** A run on one split keeps the figures of the others, if they come from the same ground truth. */
function mergedWith(before: Results | null): Record<string, Measured> {
  return Object.fromEntries(
    Object.entries(fresh).map(([name, now]) => {
      const old = before?.extractors[name];
      if (old === undefined || old.truths !== now.truths) return [name, now];
      return [
        name,
        { ...now, splits: { ...old.splits, ...now.splits }, families: { ...old.families, ...now.families } },
      ];
    }),
  );
}

function firstUnseen(measured: Measured | undefined): Measured | null {
  const unseen = measured?.splits['unseen'];
  if (measured === undefined || unseen === undefined) return null;
  const names = new Set(chosen.filter((truth) => truth.split === 'unseen').map((truth) => truth.family));
  return {
    ...measured,
    splits: { unseen },
    families: Object.fromEntries(Object.entries(measured.families).filter(([name]) => names.has(name))),
  };
}

async function runOurs(extract: (url: string, html: string) => string): Promise<Measured> {
  const pages = values.unseen ? chosen : chosen.filter((truth) => truth.split !== 'unseen');
  return measureAll('ours', pages, (truth, html) => Promise.resolve(extract(truth.url, html)));
}

async function runCompetitor(name: string): Promise<Measured> {
  let worker = startCompetitorThread();
  try {
    return await measureAll(name, chosen, async (truth, html) => {
      const reply = await request(worker, { name, url: truth.url, html });
      if (reply !== 'timeout') return reply.failed ? null : reply.markdown;
      await worker.terminate();
      worker = startCompetitorThread();
      return null;
    });
  } finally {
    await worker.terminate();
  }
}

function startCompetitorThread(): Worker {
  const worker = new Worker(new URL('extraction-competitor-thread.ts', import.meta.url), {
    stdout: true,
    stderr: true,
  });
  // A thread that dies sends nothing, so the page is abandoned by the timeout.
  worker.on('error', () => undefined);
  return worker;
}

function request(worker: Worker, order: object): Promise<{ markdown: string; failed: boolean } | 'timeout'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('timeout'), COMPETITOR_TIMEOUT_MS);
    worker.once('message', (reply: { markdown: string; failed: boolean }) => {
      clearTimeout(timer);
      resolve(reply);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(order);
  });
}

async function measureAll(
  name: string,
  pages: readonly TruthLine[],
  extract: (truth: TruthLine, html: string) => Promise<string | null>,
): Promise<Measured> {
  const splits = new Map<string, Sums>();
  const byFamily = new Map<string, Sums>();
  let failedPages = 0;
  for (const truth of pages) {
    const markdown = await extract(truth, pageOf(truth)).catch(() => null);
    if (markdown === null) failedPages += 1;
    const score = scorePage(truth, markdown ?? '');
    splits.set(truth.split, addScore(splits.get(truth.split) ?? noSums, score));
    byFamily.set(truth.family, addScore(byFamily.get(truth.family) ?? noSums, score));
  }
  console.log(`${name}: ${pages.length} pages, ${failedPages} failed`);
  return {
    command: `node bench/extract/extraction.ts STATE ${process.argv.slice(3).join(' ')}`.trim(),
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString(),
    node: process.version,
    truths: truthsHash,
    failedPages,
    splits: metricsByName(splits),
    families: metricsByName(byFamily),
  };
}

function ofSyntheticPages(): TruthLine[] {
  return syntheticPages().map(({ name, url, html, truth }) => {
    const sha256 = createHash('sha256').update(html).digest('hex');
    return { site: 'synthetic', path: `${name}.html`, url, sha256, family: name, split: 'synthetic', html, ...truth };
  });
}

function pageOf(truth: TruthLine): string {
  if (truth.html !== undefined) return truth.html;
  const bytes = readFileSync(join(state ?? '', 'www', truth.site, truth.path));
  if (createHash('sha256').update(bytes).digest('hex') !== truth.sha256)
    throw new Error(`${truth.site}/${truth.path} does not match the ground truth: run extraction-truths.ts again`);
  return decode(bytes);
}

function metricsByName(sums: ReadonlyMap<string, Sums>): Record<string, Metrics> {
  return Object.fromEntries([...sums].map(([name, sum]) => [name, metricsOf(sum)]));
}
