// One crawl by unreliable workers, from its start to the count of lost and duplicated pages.

import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../../src/store/port.ts';
import type { RunLease } from '../../src/store/port/runs.ts';
import { frontierEntry } from './run-fixture.ts';
import { createDatabase } from './stores.ts';
import { temporaryDirectory } from './temporary-folder.ts';
import type { ClaimantOptions } from './claimant-process.ts';
import type { ClaimantMessage } from './claimant.ts';
import { openDatabase, type TestDatabase } from './test-database.ts';
import { runChild } from './run-child.ts';
import { createSite, type Site } from './arithmetic-site.ts';

const CLAIMANT = new URL('./claimant-process.ts', import.meta.url);
const WORKERS = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8'];
const LONG_MS = 3_600_000;

export interface ZombieSettings {
  readonly engine: TestDatabase['engine'];
  readonly seed: number;
  readonly size: number;
  readonly hosts: number;
  readonly leaseMs: number;
  readonly fenced: boolean;
  /** SQLite: how often the owner is killed. */
  readonly ownerKills: number;
}

export interface ZombieResult {
  readonly engine: string;
  readonly seed: number;
  readonly urls: number;
  readonly lost: number;
  /** Writes of a page beyond its first. */
  readonly doubled: number;
  /** Commits that the fencing check rejected. */
  readonly refused: number;
  readonly stalls: number;
  readonly abandoned: number;
  readonly processesKilled: number;
  readonly violations: readonly string[];
  readonly completed: boolean;
  readonly seconds: number;
}

export async function zombieRun(settings: ZombieSettings): Promise<ZombieResult> {
  const started = Date.now();
  const { database, remove } = await newDatabase(settings.engine);
  const site = createSite(settings.size, settings.hosts);
  const lease = await startCrawl(database, site);
  const options = { ...settings, database, workers: WORKERS };
  const messages: Record<ClaimantMessage, number> = {
    settled: 0,
    late: 0,
    superseded: 0,
    stall: 0,
    abandoned: 0,
    crash: 0,
  };
  const onMessage = (line: string): void => void (messages[line as ClaimantMessage] += 1);
  const violations: string[] = [];
  const killed =
    settings.engine === 'postgres'
      ? await workInProcesses(options, onMessage)
      : await workInProcess(options, { onMessage, violations, kills: settings.ownerKills });

  const { store } = await openDatabase(database);
  violations.push(...(await violationsOf(store)));
  const result = {
    engine: settings.engine,
    seed: settings.seed,
    urls: settings.size,
    lost: await countLost(store, site, lease),
    doubled: await countDuplicates(store),
    refused: messages.superseded,
    stalls: messages.stall,
    abandoned: messages.abandoned,
    processesKilled: killed,
    violations,
    completed: await store.runs.finish(lease, 'completed', null),
    seconds: Math.round((Date.now() - started) / 100) / 10,
  };
  await store.close();
  await remove();
  return result;
}

export async function newDatabase(
  engine: TestDatabase['engine'],
): Promise<{ database: TestDatabase; remove: () => Promise<void> }> {
  if (engine === 'sqlite') {
    const directory = temporaryDirectory();
    return { database: { engine, directory }, remove: async () => rmSync(directory, { recursive: true }) };
  }
  const { url, drop } = await createDatabase();
  return { database: { engine, url }, remove: drop };
}

async function startCrawl(database: TestDatabase, site: Site): Promise<RunLease> {
  const { store } = await openDatabase(database);
  const definition = { name: 'site', kind: 'web', startUrl: site.start, settings: {} } as const;
  const source = await store.sources.add(definition, '');
  await store.runs.start(source.versions[0]!.id, 'incremental', {});
  const lease = await store.runs.lease('coordinator', LONG_MS);
  if (lease === null) throw new Error('no run to lease');
  await store.frontier.enqueue(lease.run.id, [frontierEntry(site.start)]);
  await store.close();
  return lease;
}

/** Each claimant is a process, and is restarted when it was killed. Returns how many were. */
async function workInProcesses(options: ClaimantOptions, onMessage: (line: string) => void): Promise<number> {
  let killed = 0;
  await Promise.all(
    options.workers.map(async (worker) => {
      while ((await runChild(CLAIMANT, { ...options, workers: [worker] }, onMessage).ended) === 'killed') killed += 1;
    }),
  );
  return killed;
}

/** All claimants run in the owner; it is killed a few times while they work, and the next owner continues. */
async function workInProcess(
  options: ClaimantOptions & { readonly leaseMs: number },
  watch: { readonly onMessage: (line: string) => void; readonly violations: string[]; readonly kills: number },
): Promise<number> {
  for (let killed = 0; ; killed += 1) {
    const { promise: firstWord, resolve: working } = Promise.withResolvers<void>();
    const owner = runChild(CLAIMANT, options, (line) => {
      watch.onMessage(line);
      working();
    });
    const end = owner.ended;
    if (killed < watch.kills) {
      await Promise.race([firstWord, end]);
      await Promise.race([wait(options.leaseMs * (0.3 + 0.4 * killed)), end]);
      owner.kill();
    }
    if ((await end) === 'finished') return killed;
    const { store } = await openDatabase(options.database);
    watch.violations.push(...(await violationsOf(store)));
    await store.close();
  }
}

async function violationsOf(store: Store): Promise<readonly string[]> {
  return (await store.verify()).map(({ invariant, row }) => `${invariant}: ${row}`);
}

async function countLost(store: Store, site: Site, lease: RunLease): Promise<number> {
  const expected = site.pagesAt(0);
  let lost = 0;
  for (const [url, text] of expected) {
    const page = await store.pages.get(lease.run.version, url);
    if (page?.text.startsWith(`${text}, copy `) !== true) lost += 1;
  }
  const { pages } = await store.pages.list(lease.run.version, null, site.size + 1);
  return lost + Math.abs(pages.length - expected.size);
}

async function countDuplicates(store: Store): Promise<number> {
  const writes = new Map<string, number>();
  for (let seq = 0; ;) {
    const events = await store.journal.after(seq, 1000);
    if (events.length === 0) break;
    seq = events.at(-1)!.seq;
    for (const { kind, url } of events)
      if (url !== null && (kind === 'new' || kind === 'changed')) writes.set(url, (writes.get(url) ?? 0) + 1);
  }
  return [...writes.values()].reduce((sum, n) => sum + n - 1, 0);
}
