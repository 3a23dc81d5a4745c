// Two worker processes on one database share every loop: coordinators, planners, claims, archives, indexers, webhooks and analysis runs.
// Nothing is done twice, and two take no longer than one.

import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { commitId, startForge, type Forge } from '../../support/forge.ts';
import { createLibrary, type Library } from '../../support/library.ts';
import type { RunningProgram } from '../../support/program.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createReceiver } from '../../feature/changes/receiver.ts';

const SITES = 4;
/** Every second site is crawled by a plan, and analyzed when its run ends. */
const PLANNED = SITES / 2;
const PAGES = 40;
/** What a worker spends most of its time on: waiting for pages, a few at a time. */
const ANSWER_MS = 100;
const CONCURRENCY = 4;
const COMMIT = commitId('a');

const AnalysisSummary = z.object({ steps: z.object({ pages: z.object({ processed: z.int() }) }) });

const closing: Array<() => unknown> = [];
/** In reverse order. One that fails leaves none of the others open. */
async function closeAll(): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closing.splice(0).toReversed()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not everything could be closed');
}
afterEach(closeAll);

async function openSites(): Promise<readonly DocSite[]> {
  return Promise.all(
    Array.from({ length: SITES }, async (_, nth) => {
      const paths = Array.from({ length: PAGES }, (__, page) => `/docs/part-${page % 4}/${nth}-${page}`);
      const pages = Object.fromEntries(paths.map((path) => [path, docPage(`kettle ${path}`)]));
      const sitemap = `<urlset>${paths.map((path) => `<url><loc>ORIGIN${path}</loc></url>`).join('')}</urlset>`;
      const site: DocSite = await startDocSite(
        {
          ...pages,
          '/docs/': docPage(`site ${nth}`, paths),
          '/sitemap.xml': (_request, response) =>
            void response.setHeader('content-type', 'application/xml').end(sitemap.replaceAll('ORIGIN', site.origin)),
        },
        undefined,
        { delayMs: ANSWER_MS },
      );
      closing.push(() => site.close());
      return site;
    }),
  );
}

interface Work {
  readonly library: Library;
  readonly sites: readonly DocSite[];
  readonly forge: Forge;
  readonly revisions: () => readonly number[];
}

async function prepare(): Promise<Work> {
  const sites = await openSites();
  const forge = await startForge();
  forge.repositories['tea/pot'] = {
    refs: { HEAD: COMMIT },
    commits: {
      [COMMIT]: {
        files: Object.fromEntries(
          Array.from({ length: 30 }, (_, nth) => [
            `docs/${nth}.md`,
            `# Pot ${nth}\n\nHow the pot number ${nth} is filled and emptied again.\n`,
          ]),
        ),
      },
    },
  };
  const receiver = await createReceiver();
  closing.push(
    () => forge.close(),
    () => receiver.close(),
  );
  const library = await createLibrary('postgres', {
    PINAKES_CRAWL_CONCURRENCY: String(CONCURRENCY),
  });
  closing.push(() => library.remove());
  const hook: { secret: string } = await library.json('webhooks', 'create', receiver.url, '--name', 'hook');
  receiver.setSecret(hook.secret);
  await library.read(async ({ sources, runs }) => {
    for (const [nth, { origin }] of sites.entries()) {
      const preset = nth % 2 === 0 ? 'intelligent' : 'basic-with-sitemap';
      const definition = {
        name: `site-${nth}`,
        kind: 'web',
        startUrl: `${origin}/docs/`,
        settings: { preset },
      } as const;
      const source = await sources.add(definition, '');
      await runs.start(source.versions[0]!.id, 'incremental', {});
    }
  });
  expect(await library.run('add', `git+${forge.url}/tea/pot`, '--name', 'pot')).toMatchObject({ code: 0 });
  return { library, sites, forge, revisions: () => receiver.accepted() };
}

/** Returns how long the runs took, from the first page to the end of the last run. */
async function workWith(processes: number, work: Work): Promise<number> {
  const { library, sites } = work;
  const workers: RunningProgram[] = [];
  for (let nth = 0; nth < processes; nth += 1) {
    const worker = library.start('worker');
    workers.push(worker);
    // Where the test fails, it has not ended by then, and would keep the database.
    closing.push(async () => {
      worker.kill('SIGKILL');
      await worker.ended;
    });
  }
  const isDone = async (): Promise<boolean> => {
    const [row] = await library.sql<{ live: string }>('select count(*) as live from runs where ended_at is null');
    return row?.live === '0';
  };
  await waitUntil('the first page', () => sites.some((site) => site.pages().length > 0));
  const startedAt = performance.now();
  await waitUntil('the runs have ended', isDone, 110_000);
  const ms = performance.now() - startedAt;
  const analyzed = await library.run('analyze');
  expect(analyzed, analyzed.stderr).toMatchObject({ code: 0 });
  await waitUntil('the analyses have ended', async () => {
    const runs = await library.sql<{ ended_at: string | null }>('select ended_at from analysis_runs');
    return runs.length === PLANNED + 1 && runs.every(({ ended_at: endedAt }) => endedAt !== null);
  });
  await waitUntil('the changes have arrived', () => new Set(work.revisions()).size >= SITES * (PAGES + 1) + 30);
  for (const worker of workers) worker.kill('SIGTERM');
  for (const worker of workers) expect(await worker.ended).toMatchObject({ code: 0 });
  return ms;
}

test('two processes do nothing twice, and are not slower than one', { timeout: 400_000 }, async () => {
  const took: number[] = [];
  for (const processes of [1, 2]) {
    const work = await prepare();
    took.push(await workWith(processes, work));
    for (const { requests } of work.sites) {
      const urls = requests.map(({ url }) => url);
      // Discovery compares the Markdown of some pages with their HTML; everything else is requested once.
      const twice = urls.filter((url, at) => urls.indexOf(url) !== at && !url.startsWith('/docs/'));
      expect(twice).toEqual([]);
      expect(urls.length).toBeLessThan(PAGES + 30);
    }
    const ofForge = work.forge.requests.map(({ url }) => url).filter((url) => url.includes('tea/pot'));
    expect(ofForge).toHaveLength(2);
    const revisions = work.revisions();
    expect(revisions.length).toBe(new Set(revisions).size);
    const pages = SITES * (PAGES + 1) + 30;
    const [counts] = await work.library.sql<{ pages: string; plans: string }>(
      `select (select count(*) from pages) as pages, (select count(*) from run_plans) as plans`,
    );
    expect(counts).toEqual({ pages: String(pages), plans: String(PLANNED) });
    const analyses = await work.library.sql<{ summary: string }>('select summary from analysis_runs');
    const processed = analyses.map(({ summary }) => AnalysisSummary.parse(JSON.parse(summary)).steps.pages.processed);
    expect(processed.reduce((sum, one) => sum + one, 0)).toBe(pages);
    const violations = await work.library.read((store) => store.verify());
    expect(violations).toEqual([]);
    await closeAll();
  }
  const [one = 0, two = 0] = took;
  expect(two, `one took ${Math.round(one)} ms, two ${Math.round(two)} ms`).toBeLessThan(1.3 * one);
});
