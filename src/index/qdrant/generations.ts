// Which collections are searched and which are written. Another form of the points, or collections that cannot be continued,
// means a new generation: it is filled next to the searched one and then replaces it, in the database by one transaction and for
// other programs by aliases, which are switched in one request. So does a database that has gone back to an earlier state: rows of that
// state name points that were deleted since, and numbers are given out a second time.

import { pinakesError } from '../../core/model/errors.ts';
import { INDEX_PARTS } from '../../ports/index-parts.ts';
import type { Generation, PointRecords } from '../../ports/point-records.ts';
import { monotonicMs, randomHex } from '../../platform/clock.ts';
import { openCollections, type Collections } from './collections.ts';
import { consumerName, type ChangeReader } from './indexer.ts';
import type { Nodes } from './nodes.ts';

export interface OpenGeneration extends Generation {
  readonly collections: Collections;
}

export interface Generations {
  /** The current one; null before the first page is indexed. May be a second out of date. */
  searched(): Promise<OpenGeneration | null>;
  /** The generations that get every change, the current one first. Creates the first one. */
  written(): Promise<readonly OpenGeneration[]>;
  /** A generation that holds every page becomes current. */
  finish(generation: Generation): Promise<void>;
  /** The generation cannot be continued: it is searched until a new one has replaced it. */
  replace(generation: Generation): Promise<void>;
  /** Deletes something of a former generation; false if there is nothing to delete. */
  deleteDropped(): Promise<boolean>;
  /** Whether its rows do not describe its points, because the database has gone back. May be some seconds out of date. */
  isRolledBack(generation: OpenGeneration): Promise<boolean>;
  /** The engine knows a later state of the database: a new history begins, and this process is of the former one. */
  endHistory(generation: Generation): Promise<never>;
}

/** How the end of a history is saved; the store's `history` fits. */
export interface HistoryKeeper {
  begin(previous: string): Promise<void>;
}

export interface GenerationsOptions {
  readonly nodes: Nodes;
  readonly records: PointRecords;
  readonly changes: ChangeReader;
  readonly history: HistoryKeeper;
  /** Fingerprint of the points' format. */
  readonly fingerprint: string;
}

const CACHE_MS = 1000;
/** Longer than the cache of any process and a query that follows. */
const KEEP_DROPPED_MS = 60_000;
const FORGOTTEN_ROWS = 5000;

export function createGenerations(options: GenerationsOptions): Generations {
  const { nodes, records, fingerprint } = options;
  const openOne = createOpening(nodes);
  const prepare = createPreparation(options);
  const isAhead = createAheadCheck(records);
  const lost = new Set<string>();
  let cached: { readonly at: number; readonly current: OpenGeneration } | null = null;

  async function readCurrent(): Promise<OpenGeneration | null> {
    const current = find(await records.generations(), 'current');
    return current === undefined ? null : openOne(current);
  }

  async function canWrite(generation: OpenGeneration): Promise<boolean> {
    const { isRolledBack, name } = generation;
    if (generation.fingerprint !== fingerprint || isRolledBack || lost.has(name) || !(await prepare(generation)))
      return false;
    return (await isAhead(generation)) ? endHistory(options.history, generation) : true;
  }

  /** The current one first. */
  async function writable(all: readonly Generation[]): Promise<readonly OpenGeneration[]> {
    const written: OpenGeneration[] = [];
    for (const generation of [find(all, 'current'), find(all, 'building')])
      if (generation !== undefined && (await canWrite(openOne(generation)))) written.push(openOne(generation));
    return written;
  }

  return {
    async searched() {
      const now = monotonicMs();
      if (cached !== null && now - cached.at < CACHE_MS) return cached.current;
      const current = await readCurrent();
      cached = current === null ? null : { at: now, current };
      return current;
    },
    async written() {
      const all = await records.generations();
      const current = find(all, 'current');
      if (current !== undefined && isReplaced(all, current, fingerprint)) return [];
      const open = await writable(all);
      if (open.some(({ state }) => state === 'current') || isBeingBuilt(all, fingerprint)) return open;
      await addGeneration(records, all, fingerprint);
      return writable(await records.generations());
    },
    async finish(generation) {
      cached = null;
      if (await records.switchTo(generation.id))
        await openOne(generation).collections.publish(libraryOf(generation.name));
    },
    async replace(generation) {
      if (generation.state === 'building') await records.dropGeneration(generation.id, 0);
      else lost.add(generation.name);
    },
    endHistory: (generation) => endHistory(options.history, generation),
    isRolledBack: async (generation) => generation.isRolledBack || isAhead(generation),
    async deleteDropped() {
      const dropped = (await records.generations()).find(isDeletable);
      if (dropped === undefined) return false;
      await openOne(dropped).collections.drop();
      await records.dropGeneration(dropped.id, FORGOTTEN_ROWS);
      return true;
    },
  };
}

/** By name: a database that has gone back gives out the ids of generations a second time. */
function createOpening(nodes: Nodes): (generation: Generation) => OpenGeneration {
  const opened = new Map<string, Collections>();
  return (generation) => {
    const collections = opened.get(generation.name) ?? openCollections(nodes, generation.name);
    opened.set(generation.name, collections);
    return { ...generation, collections };
  };
}

async function endHistory(keeper: HistoryKeeper, { history }: Generation): Promise<never> {
  await keeper.begin(history);
  throw pinakesError('database.rolled-back', {});
}

/** Collections may be deleted at any time, also while nothing is indexed. */
const CHECK_MS = 10_000;

/** Whether a generation can be written; creates the collections of a new one. */
function createPreparation({ records, changes }: GenerationsOptions): (generation: OpenGeneration) => Promise<boolean> {
  const preparedAt = new Map<string, number>();
  return async ({ id, name, state, position, collections }) => {
    if (monotonicMs() - (preparedAt.get(name) ?? -Infinity) < CHECK_MS) return true;
    const doExist = await collections.exist();
    // Its points are gone, with the disk of a node or by mistake.
    if (!doExist && (await records.list(id, 0, 1)).length > 0) return false;
    if (doExist && preparedAt.has(name)) {
      preparedAt.set(name, monotonicMs());
      return true;
    }
    // Not from the latest change on: a version that has got its first page since its generation was added is not queued.
    for (const part of INDEX_PARTS) await changes.advance(consumerName(id, part), position);
    await collections.create();
    if (state === 'current') await collections.publish(libraryOf(name));
    preparedAt.set(name, monotonicMs());
    return true;
  };
}

/**
 * Whether the engine holds a number that the database has not given out. A number is saved before its point is sent, and so is one before
 * points are deleted: a database that has gone back to before a point was sent or deleted does not know the highest number.
 */
function createAheadCheck(records: PointRecords): (generation: OpenGeneration) => Promise<boolean> {
  const checkedAt = new Map<string, number>();
  return async ({ name, lastNumber, collections }) => {
    if (monotonicMs() - (checkedAt.get(name) ?? -Infinity) < CHECK_MS) return false;
    for (let last = lastNumber; ;) {
      const [held] = await collections.ids('pages', last + 1, 1);
      if (held === undefined) break;
      // After the engine was asked: another process may have sent a number in the meantime.
      last = (await records.generations()).find((one) => one.name === name)?.lastNumber ?? Infinity;
      if (held > last) return true;
    }
    checkedAt.set(name, monotonicMs());
    return false;
  };
}

async function addGeneration(records: PointRecords, all: readonly Generation[], fingerprint: string): Promise<void> {
  // Left behind by a former version of the program, or by another history.
  const building = find(all, 'building');
  if (building !== undefined) await records.dropGeneration(building.id, 0);
  const library = all[0] === undefined ? `pinakes-${randomHex(4)}` : libraryOf(all[0].name);
  // Collections of a state that is lost may have any name that can be counted.
  const added = { name: `${library}-${randomHex(4)}`, fingerprint };
  await records.addGeneration(added, find(all, 'current')?.id ?? null);
}

function isDeletable({ state, droppedForMs }: Generation): boolean {
  return state === 'dropped' && droppedForMs > KEEP_DROPPED_MS;
}

function find(all: readonly Generation[], state: Generation['state']): Generation | undefined {
  return all.find((one) => one.state === state);
}

function isBeingBuilt(all: readonly Generation[], fingerprint: string): boolean {
  const building = find(all, 'building');
  return building?.fingerprint === fingerprint && !building.isRolledBack;
}

/** Whether our form was replaced by the current one: then a newer program indexes, and this one only searches. */
function isReplaced(all: readonly Generation[], current: Generation, fingerprint: string): boolean {
  return (
    current.fingerprint !== fingerprint && all.some((one) => one.fingerprint === fingerprint && one.id < current.id)
  );
}

function libraryOf(name: string): string {
  return name.replace(/-[^-]+$/, '');
}
