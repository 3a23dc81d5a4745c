// One crawl by unlucky workers, from its start to the count of what was lost and what was doubled.

import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunLease, Store } from '../../src/store/port.ts';
import { anOffer } from '../support/run-fixture.ts';
import { createDatabase, temporaryDirectory } from '../support/stores.ts';
import type { ClaimantOrder } from './claimant-process.ts';
import type { Told } from './claimant.ts';
import { openPlace, type Place } from './test-database.ts';
import { runChild } from './run-child.ts';
import { createSite, type Site } from './site.ts';

const CLAIMANT = new URL('./claimant-process.ts', import.meta.url);
const WORKERS = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8'];
const LONG_MS = 3_600_000;

export interface ZombieSettings {
  readonly engine: Place['engine'];
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
  /** Commits that the fence refused. */
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
  const { place, remove } = await newPlace(settings.engine);
  const site = createSite(settings.size, settings.hosts);
  const lease = await startCrawl(place, site);
  const order = { ...settings, place, workers: WORKERS };
  const told: Record<Told, number> = { settled: 0, late: 0, superseded: 0, stall: 0, abandoned: 0, crash: 0 };
  const tell = (line: string): void => void (told[line as Told] += 1);
  const violations: string[] = [];
  const killed =
    settings.engine === 'postgres'
      ? await workInProcesses(order, tell)
      : await workInOwner(order, { tell, violations, kills: settings.ownerKills });

  const { store } = await openPlace(place);
  violations.push(...(await violationsOf(store)));
  const result = {
    engine: settings.engine,
    seed: settings.seed,
    urls: settings.size,
    lost: await countLost(store, site, lease),
    doubled: await countDoubled(store),
    refused: told.superseded,
    stalls: told.stall,
    abandoned: told.abandoned,
    processesKilled: killed,
    violations,
    completed: await store.runs.finish(lease, 'completed', null),
    seconds: Math.round((Date.now() - started) / 100) / 10,
  };
  await store.close();
  await remove();
  return result;
}

export async function newPlace(engine: Place['engine']): Promise<{ place: Place; remove: () => Promise<void> }> {
  if (engine === 'sqlite') {
    const directory = temporaryDirectory();
    return { place: { engine, directory }, remove: async () => rmSync(directory, { recursive: true }) };
  }
  const { url, drop } = await createDatabase();
  return { place: { engine, url }, remove: drop };
}

async function startCrawl(place: Place, site: Site): Promise<RunLease> {
  const { store } = await openPlace(place);
  const definition = { name: 'site', kind: 'web', start: site.start, settings: {} } as const;
  const source = await store.sources.add(definition, '');
  await store.runs.start(source.versions[0]!.id, 'incremental', {});
  const lease = await store.runs.lease('conductor', LONG_MS);
  if (lease === null) throw new Error('no run to lease');
  await store.frontier.offer(lease.run.id, [anOffer(site.start)]);
  await store.close();
  return lease;
}

/** Each claimant is a process, and begins again when it was killed. Returns how many were. */
async function workInProcesses(order: ClaimantOrder, tell: (line: string) => void): Promise<number> {
  let killed = 0;
  await Promise.all(
    order.workers.map(async (worker) => {
      while ((await runChild(CLAIMANT, { ...order, workers: [worker] }, tell).ended) === 'killed') killed += 1;
    }),
  );
  return killed;
}

/** All claimants live in the owner; it is killed a few times while they work, and the next owner goes on. */
async function workInOwner(
  order: ClaimantOrder & { readonly leaseMs: number },
  watch: { readonly tell: (line: string) => void; readonly violations: string[]; readonly kills: number },
): Promise<number> {
  for (let killed = 0; ; killed += 1) {
    const { promise: firstWord, resolve: working } = Promise.withResolvers<void>();
    const owner = runChild(CLAIMANT, order, (line) => {
      watch.tell(line);
      working();
    });
    const end = owner.ended;
    if (killed < watch.kills) {
      await Promise.race([firstWord, end]);
      await Promise.race([wait(order.leaseMs * (0.3 + 0.4 * killed)), end]);
      owner.kill();
    }
    if ((await end) === 'finished') return killed;
    const { store } = await openPlace(order.place);
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

async function countDoubled(store: Store): Promise<number> {
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
