// Kills a crawl repeatedly at random moments, and checks the store after each kill and at the end.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../../../src/store/port.ts';
import { openDatabase, type TestDatabase } from '../../support/test-database.ts';
import { runChild } from '../../support/run-child.ts';
import { createSite, type Site } from '../../support/arithmetic-site.ts';
import { newDatabase } from '../../support/zombie-run.ts';

const CRAWLER = new URL('./crawler-process.ts', import.meta.url);

export interface KillLoopSettings {
  readonly engine: TestDatabase['engine'];
  readonly kills: number;
  readonly size: number;
  readonly hosts: number;
}

export interface KillLoopResult {
  readonly engine: string;
  readonly kills: number;
  /** Kills before the crawl resumed: while the store was opened, or before the previous lease expired. */
  readonly killsBeforeWork: number;
  /** Runs that were completed despite the kills. */
  readonly runs: number;
  readonly pages: number;
  /** Differences between the stored pages and those of the site's last edition. */
  readonly wrongPages: number;
  /** With the number of the kill after which it was found. */
  readonly violations: readonly string[];
  readonly seconds: number;
}

export async function killLoop(settings: KillLoopSettings): Promise<KillLoopResult> {
  const started = Date.now();
  const { database, remove } = await newDatabase(settings.engine);
  const site = createSite(settings.size, settings.hosts);
  const violations: string[] = [];
  let beforeWork = 0;
  for (let kill = 1; kill <= settings.kills; kill += 1) {
    if (!(await crawlAndKill({ ...settings, database, last: false }))) beforeWork += 1;
    violations.push(...(await checkAfter(database)).map((violation) => `kill ${kill}: ${violation}`));
  }
  await runChild(CRAWLER, { ...settings, database, last: true }).ended;
  violations.push(...(await checkAfter(database)).map((violation) => `end: ${violation}`));

  const { store } = await openDatabase(database);
  const result = {
    engine: settings.engine,
    kills: settings.kills,
    killsBeforeWork: beforeWork,
    ...(await compareWithSite(store, site)),
    violations,
    seconds: Math.round((Date.now() - started) / 1000),
  };
  await store.close();
  await remove();
  return result;
}

/** One in eight is killed while it starts, the others up to 400 ms into their work. True if it was working. */
async function crawlAndKill(options: object): Promise<boolean> {
  let working = false;
  const { promise: ready, resolve: begin } = Promise.withResolvers<void>();
  const child = runChild(CRAWLER, options, () => {
    working = true;
    begin();
  });
  if (Math.random() < 0.125) await wait(Math.random() * 200);
  else {
    await Promise.race([ready, child.ended]);
    await wait(Math.random() * 400);
  }
  child.kill();
  if ((await child.ended) !== 'killed') throw new Error('the crawler exited unexpectedly');
  return working;
}

async function checkAfter(database: TestDatabase): Promise<readonly string[]> {
  const { store } = await openDatabase(database);
  const broken = (await store.verify()).map(({ invariant, row }) => `${invariant}: ${row}`);
  await store.close();
  return database.engine === 'sqlite' ? [...broken, ...fileFaults(join(database.directory, 'pinakes.db'))] : broken;
}

function fileFaults(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const [integrity] = database.prepare('pragma integrity_check').all() as Array<{ integrity_check: string }>;
  const strays = database.prepare('pragma foreign_key_check').all();
  database.close();
  const faults = strays.map((row) => `foreign key: ${JSON.stringify(row)}`);
  return integrity?.integrity_check === 'ok' ? faults : [...faults, `file: ${integrity?.integrity_check}`];
}

async function compareWithSite(
  store: Store,
  site: Site,
): Promise<Pick<KillLoopResult, 'runs' | 'pages' | 'wrongPages'>> {
  const runs = await store.runs.list(10_000);
  const newest = runs[0]!;
  const expected = site.pagesAt(Number(newest.settings['edition']));
  const { pages } = await store.pages.list(newest.version, null, site.size + 1);
  let right = 0;
  for (const { url, chunks } of pages) {
    const text = expected.get(url);
    const document = await store.pages.get(newest.version, url);
    if (text !== undefined && document?.text.startsWith(`${text}\n`) === true && chunks === 3) right += 1;
  }
  return {
    runs: runs.filter((run) => run.state === 'completed').length,
    pages: pages.length,
    wrongPages: Math.max(expected.size, pages.length) - right,
  };
}
