// Analyses a library with the real program and kills its workers without warning, again and again. At the end each page must have been
// analysed once.

import { setTimeout as wait } from 'node:timers/promises';
import { createSiteServer } from '../../support/generated-site.ts';
import { createLibrary, type EngineName, type Library } from '../../support/library.ts';
import { createRandom } from '../../support/random.ts';
import type { RunningProgram } from '../../support/program.ts';

export interface KillAnalysisOrder {
  readonly engine: EngineName;
  readonly kills: number;
  readonly seed: number;
}

export interface KillAnalysisResult {
  readonly engine: EngineName;
  readonly kills: number;
  /** Analyses of the whole library. */
  readonly analyses: number;
  readonly pages: number;
  /** Runs whose count of analysed pages differs from the number of pages, in words. */
  readonly wrongCounts: readonly string[];
  readonly notCompleted: readonly string[];
  readonly violations: readonly string[];
}

const SIZE = 120;
const LEASE_MS = 1000;
/** A run is given up after as many crashes in a row without a saved page. */
const KILLS_PER_ANALYSIS = 2;
const MAX_MS = 120_000;

const SETTINGS = {
  PINAKES_CRAWL_LEASE_MS: String(LEASE_MS),
  PINAKES_CRAWL_RENEW_MS: '300',
  PINAKES_LOG_LEVEL: 'error',
} as const;

export async function killAnalysis({ engine, kills, seed }: KillAnalysisOrder): Promise<KillAnalysisResult> {
  const random = createRandom(seed);
  const site = await createSiteServer({ size: SIZE, seed });
  const library = await createLibrary(engine, SETTINGS);
  const [wrongCounts, notCompleted, violations]: [string[], string[], string[]] = [[], [], []];
  let [killed, analyses] = [0, 0];
  // Before a worker owns the library.
  await library.run('add', site.start);
  let worker = library.start('worker');
  try {
    await until('the end of the crawl', () =>
      library.read(async ({ runs }) => (await runs.list(1))[0]?.endedAt !== null),
    );
    const pages = await countPages(library);
    while (killed < kills) {
      const runId = await startAnalysis(library, analyses);
      analyses += 1;
      for (let nth = 0; nth < KILLS_PER_ANALYSIS && killed < kills; nth += 1) {
        await wait(random() * 1200);
        worker = await replaced(worker, library);
        killed += 1;
      }
      await until(`the end of ${runId}`, () =>
        library.read(async ({ analysis }) => (await analysis.byId(runId))?.endedAt !== null),
      );
      const run = await library.read(({ analysis }) => analysis.byId(runId));
      const counts = (run?.summary as { steps?: { pages?: { processed?: number } } } | null)?.steps?.pages;
      if (counts?.processed !== pages) wrongCounts.push(`${runId}: ${counts?.processed} of ${pages}`);
      if (run?.status !== 'completed') notCompleted.push(`${runId}: ${run?.status} ${run?.error}`);
      const found = await library.read((store) => store.verify());
      violations.push(...found.map(({ invariant, row }) => `${invariant}: ${row}`));
    }
    return { engine, kills: killed, analyses, pages, wrongCounts, notCompleted, violations };
  } finally {
    worker.kill('SIGKILL');
    await worker.ended;
    await site.close();
    await library.remove();
  }
}

/** Written as another process would write it, independent of the library's owner. Each one asks for a higher version. */
async function startAnalysis(library: Library, nth: number): Promise<string> {
  const runId = `analysis-${nth}`;
  const now = library.engine === 'sqlite' ? `cast(unixepoch('subsec') * 1000 as integer)` : 'now_ms()';
  await library.sql(
    `insert into analysis_runs (id, started_at, status, stage, analysis_version, skip_pages, skip_domains, dry_run, "verbose")
     values ('${runId}', ${now}, 'queued', 'starting', ${nth + 2}, 0, 0, 0, 0) returning id`,
  );
  return runId;
}

async function replaced(worker: RunningProgram, library: Library): Promise<RunningProgram> {
  worker.kill('SIGKILL');
  const { signal, stderr } = await worker.ended;
  if (signal !== 'SIGKILL') throw new Error(`the worker ended by itself: ${stderr}`);
  return library.start('worker');
}

async function countPages(library: Library): Promise<number> {
  const [row] = await library.sql<{ n: number | string }>(`select count(*) as n from pages where alias_key is null`);
  return Number(row?.n ?? 0);
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + MAX_MS;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
    await wait(100);
  }
}
