// Two workers with their own stores crawl folders and sites on a PostgreSQL whose statements pause. Folders and sites change between
// rounds, and a source is removed and added while others run. Each run must end, and the library must equal what was crawled.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { addSource } from '../../../src/actions/add-source.ts';
import type { RunId } from '../../../src/core/model/run.ts';
import type { Store } from '../../../src/store/port.ts';
import { openTwoPrepared } from '../../support/alternating-stores.ts';
import { createCrawler, type Crawler } from '../../support/crawl.ts';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { createLocalFolder } from '../../support/local-folder.ts';
import { createRandom } from '../../support/random.ts';
import { actionDeps } from '../../support/run-worker.ts';
import { execute } from '../../support/stores.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { COUNT_PAUSES, pauseStatements, type PauseOptions } from './statement-pauses.ts';

export interface PausedCrawlOrder extends PauseOptions {
  readonly folders: number;
  readonly sites: number;
  readonly rounds: number;
  /** Runs of each source before the library is compared. */
  readonly runsPerRound: number;
  readonly seed: number;
}

export interface PausedCrawlResult {
  readonly runs: number;
  readonly pages: number;
  readonly pauses: number;
  readonly removals: number;
  /** In words. */
  readonly problems: readonly string[];
}

const FILES = 4;
const SITE_PAGES = 8;
/** A run that has not ended after so long has stopped for good. */
const RUN_ENDS_WITHIN_MS = 120_000;

interface Subject {
  readonly name: string;
  /** Changes what the next crawl finds. */
  readonly change: () => void;
  readonly start: (crawler: Crawler) => Promise<RunId>;
  /** URLs that must be stored, each with a text that its page must contain. */
  readonly expected: () => ReadonlyMap<string, string>;
}

export async function crawlWithPauses(order: PausedCrawlOrder): Promise<PausedCrawlResult> {
  const random = createRandom(order.seed);
  let url = '';
  const crawler = await createCrawler({
    workers: 2,
    open: (settings) =>
      openTwoPrepared(async (opened) => {
        url = opened;
        await execute(url, pauseStatements(order));
      }, settings),
  });
  const servers = await Promise.all(
    Array.from({ length: order.sites }, (_, nth) => createSiteServer({ size: SITE_PAGES, seed: nth, slowMs: 0 })),
  );
  const subjects = [
    ...Array.from({ length: order.folders }, (_, nth) => folderSubject(`folder-${nth}`, random)),
    ...servers.map((server, nth) => siteSubject(`site-${nth}`, server)),
  ];
  const tally = { runs: 0, pages: 0, removals: 0 };
  const problems: string[] = [];
  try {
    for (let round = 0; round < order.rounds && problems.length === 0; round += 1) {
      const removed = subjects[Math.floor(random() * subjects.length)]!;
      if (round > 0 && (await removeByName(crawler.store, removed.name))) tally.removals += 1;
      await Promise.all(
        subjects.map(async (subject) => {
          // One run follows the other at once, so that the end of one and the start of the next meet.
          for (let nth = 0; nth < order.runsPerRound && problems.length === 0; nth += 1) {
            subject.change();
            const run = await subject.start(crawler);
            tally.runs += 1;
            await crawler.ended(run, RUN_ENDS_WITHIN_MS).catch((error: unknown) => {
              problems.push(`round ${round}, ${subject.name}: ${String(error)}`);
            });
          }
        }),
      );
      if (problems.length > 0) break;
      await waitUntil('every page is indexed', async () => (await crawler.store.segments.queueLength()) === 0, 120_000);
      for (const subject of subjects) problems.push(...(await differences(crawler.store, subject)));
      for (const { invariant, row } of await crawler.store.verify()) problems.push(`${invariant}: ${row}`);
      tally.pages += (await crawler.stored()).length;
    }
    return { ...tally, pauses: await countPauses(url), problems };
  } finally {
    await crawler.close();
    await Promise.all(servers.map((server) => server.close()));
  }
}

function folderSubject(name: string, random: () => number): Subject {
  const path = createLocalFolder({});
  const texts = new Map<string, string>();
  let version = 0;
  const write = (nth: number): void => {
    version += 1;
    const text = `The kettle ${nth} of version ${version} boils.`;
    writeFileSync(join(path, `page-${nth}.md`), `# Page ${nth}\n\n${text}\n`);
    texts.set(`file:///page-${nth}.md`, text);
  };
  write(0);
  return {
    name,
    change() {
      for (let nth = 1; nth < FILES; nth += 1) {
        const chance = random();
        if (chance < 0.5) write(nth);
        else if (chance < 0.7) {
          rmSync(join(path, `page-${nth}.md`), { force: true });
          texts.delete(`file:///page-${nth}.md`);
        }
      }
    },
    async start({ store }) {
      const { run } = await addSource.run(addSource.input.parse({ url: path, name }), actionDeps(store));
      return run as RunId;
    },
    expected: () => texts,
  };
}

function siteSubject(name: string, server: SiteServer): Subject {
  const all = [...server.oracle.stored].map(([path, text]) => [`${server.origin}${path}`, text] as const);
  return {
    name,
    change: () => undefined,
    async start({ store }) {
      const known = await store.sources.byName(name);
      const source =
        known ?? (await store.sources.add({ name, kind: 'web', startUrl: server.start, settings: {} }, ''));
      return (await store.runs.start(source.versions[0]!.id, 'incremental', {})).id;
    },
    expected: () => new Map(all),
  };
}

async function removeByName(store: Store, name: string): Promise<boolean> {
  const source = await store.sources.byName(name);
  if (source !== null) await store.sources.remove(source.id);
  return source !== null;
}

async function differences(store: Store, { name, expected }: Subject): Promise<readonly string[]> {
  const source = await store.sources.byName(name);
  const version = source?.versions[0]?.id;
  if (version === undefined) return [`${name} is missing`];
  const { pages } = await store.pages.list(version, null, 1000);
  const stored = new Set<string>(pages.map(({ url }) => url));
  const wanted = expected();
  const found = [...stored].filter((url) => !wanted.has(url)).map((url) => `${name}: ${url} is stored`);
  for (const [url, text] of wanted) {
    const page = pages.find((each) => each.url === url);
    const content = page === undefined ? null : await store.pages.text(version, page.url);
    if (content?.includes(text) !== true)
      found.push(`${name}: ${url} ${content === null ? 'is missing' : 'is outdated'}`);
  }
  return found;
}

async function countPauses(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(COUNT_PAUSES);
  await client.end();
  return Number(rows[0]?.n ?? 0);
}
