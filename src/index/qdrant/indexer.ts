// Keeps the engine equal to the store: an idempotent consumer of the outbox. A change says only which page to look at; what is
// indexed is read from the store, so that a late, repeated or lost message cannot bring back an old text.
//
// A page is replaced in four steps: a new number is reserved in the database, its points are sent, one transaction makes the new
// number current, and the old points are deleted once no question can be reading them. A kill between two steps leaves points
// that no row calls current; they are never an answer, and the next pass deletes them.

import { PinakesError } from '../../core/model/errors.ts';
import type { UrlKey } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { TermCounter } from '../../core/lexical/segment/term-counter.ts';
import type { Collections } from './collections.ts';
import type { IndexPart, KeyRange } from '../../ports/index-parts.ts';
import { pagePoints, vectorPoints } from './page-points.ts';
import {
  MAX_CHUNKS,
  type IndexedPage,
  type NumberedPage,
  type IndexedPageKey,
  type PointRecords,
} from '../../ports/point-records.ts';

/** How the outbox is read; the store's `changes` fits. */
export interface ChangeReader {
  after(
    position: number,
    limit: number,
    keys?: KeyRange,
  ): Promise<ReadonlyArray<{ readonly position: number; readonly at: Date } & ChangedKey>>;
  latest(): Promise<number>;
  consumer(name: string): Promise<number | null>;
  advance(name: string, position: number): Promise<void>;
}

interface ChangedKey {
  readonly version: VersionId;
  readonly page: UrlKey;
}

export interface IndexerDeps {
  readonly generation: number;
  readonly records: PointRecords;
  readonly collections: Collections;
  readonly changes: ChangeReader;
  readonly counter: TermCounter;
  /** The engine knows a later state of the database than the database does. */
  readonly onRolledBack: () => Promise<never>;
}

/** A reserved number that was not published by then belongs to a process that has died. */
const ABANDONED_MS = 10 * 60_000;
const DELETED_PAGES = 500;

/**
 * Indexes some changed or queued pages of a part, whose lease is held; returns how many were looked at, null if changes were missed: then
 * all are queued again.
 */
export async function indexSome(deps: IndexerDeps, part: IndexPart, limit: number): Promise<number | null> {
  const changed = await indexChanges(deps, part, limit);
  return changed === 0 ? indexQueued(deps, part, limit) : changed;
}

export function consumerName(generation: number, { nth }: IndexPart): string {
  return `qdrant-${generation}-${nth}`;
}

/** Up to where a part of a generation has the changes of the outbox. */
export async function positionOf(changes: ChangeReader, generation: number, part: IndexPart): Promise<number> {
  return (await changes.consumer(consumerName(generation, part))) ?? 0;
}

/** Whether no change and no queued page of a part waits. Read without its lease. */
export async function isIdle({ changes, generation, records }: IndexerDeps, part: IndexPart): Promise<boolean> {
  // Before the changes are read: there are none of this part up to here.
  const latest = await changes.latest();
  const position = await positionOf(changes, generation, part);
  if (position !== latest) {
    if ((await pendingChanges(changes, generation, part, 1))?.length !== 0) return false;
    await changes.advance(consumerName(generation, part), latest);
  }
  return (await records.nextQueued(generation, 1, part)) === null;
}

/** The next changes of a part of a generation; null if its position has expired. */
export async function pendingChanges(
  changes: ChangeReader,
  generation: number,
  part: IndexPart,
  limit: number,
): Promise<Awaited<ReturnType<ChangeReader['after']>> | null> {
  try {
    return await changes.after(await positionOf(changes, generation, part), limit, part);
  } catch (error) {
    if (error instanceof PinakesError && error.code === 'changes.expired') return null;
    throw error;
  }
}

async function indexChanges(deps: IndexerDeps, part: IndexPart, limit: number): Promise<number | null> {
  const { changes, generation } = deps;
  const rows = await pendingChanges(changes, generation, part, limit);
  if (rows === null) return null;
  const last = rows.at(-1);
  if (last === undefined) return 0;
  const newest = new Map(rows.map((row) => [`${row.version} ${row.page}`, row]));
  const pages = [...newest.values()].map(({ version, page, position }) => ({ version, key: page, position }));
  await indexPages(deps, pages);
  await changes.advance(consumerName(generation, part), last.position);
  return rows.length;
}

async function indexQueued(deps: IndexerDeps, part: IndexPart, limit: number): Promise<number> {
  const { records, generation } = deps;
  const queued = await records.nextQueued(generation, limit, part);
  if (queued === null) return 0;
  await indexPages(
    deps,
    queued.pages.map((page) => ({ ...page, position: Infinity })),
  );
  await records.dequeue(generation, queued);
  return Math.max(1, queued.pages.length);
}

interface WantedPage extends IndexedPageKey {
  /** A page that was read at this position or later is up to date. */
  readonly position: number;
}

const MAX_ROUNDS = 5;

async function indexPages(deps: IndexerDeps, wanted: readonly WantedPage[]): Promise<void> {
  let left = wanted;
  // A page is left over only if this indexer has lost its lease, and another one published it in the meantime.
  for (let round = 0; left.length > 0 && round < MAX_ROUNDS; round += 1) left = await indexOnce(deps, left);
}

/** Returns the pages that another process has indexed at the same time. */
async function indexOnce(deps: IndexerDeps, wanted: readonly WantedPage[]): Promise<readonly WantedPage[]> {
  const { records, generation, collections, changes } = deps;
  // Before the texts are read: they hold every change up to here.
  const position = await changes.latest();
  const before = new Map((await records.numbersOf(generation, wanted)).map((page) => [keyOf(page), page]));
  const outdated = wanted.filter((page) => (before.get(keyOf(page))?.position ?? -1) < page.position);
  const stored = await records.read(outdated);
  const numbers = await reserveNumbers(
    deps,
    stored.map(({ version, key, chunks }) => ({ version, key, chunks: Math.min(MAX_CHUNKS, chunks.length), position })),
  );
  const points = stored.map((page, at) => pagePoints(numbers[at] ?? 0, page, deps.counter));
  await collections.upsert(points);
  await sendPageVectors(deps, stored, numbers);
  const after = new Map(stored.map((page, at) => [keyOf(page), numbers[at]]));
  const changed = outdated.filter((page) => before.has(keyOf(page)) || after.has(keyOf(page)));
  const published = await records.publish(
    generation,
    changed.map((page) => ({
      page,
      before: before.get(keyOf(page))?.number ?? null,
      after: after.get(keyOf(page)) ?? null,
    })),
  );
  return changed.filter((_, at) => published[at] !== true);
}

/**
 * Of pages that were just read, before their numbers are published. A number is reserved before the vectors of its page are read,
 * and a vector is queued in the transaction that stores it (send-vectors.ts); so whichever comes second sends it.
 */
async function sendPageVectors(
  { records, collections }: IndexerDeps,
  pages: readonly IndexedPage[],
  numbers: readonly number[],
): Promise<void> {
  const hashes = [...new Set(pages.flatMap(({ chunks }) => chunks.map(({ contentHash }) => contentHash)))];
  for (const space of await records.spaces()) {
    const vectors = await records.vectors(space.id, hashes);
    await collections.putVectors(
      space,
      pages.flatMap((page, at) => vectorPoints(numbers[at] ?? 0, page, vectors)),
    );
  }
}

/** A number that the engine holds already was given out before, by a state of the database that is lost. */
async function reserveNumbers(
  { records, generation, collections, onRolledBack }: IndexerDeps,
  pages: ReadonlyArray<Omit<NumberedPage, 'number'>>,
): Promise<readonly number[]> {
  if (pages.length === 0) return [];
  const { numbers, after } = await records.reserve(generation, pages);
  const [held] = await collections.ids('pages', after + 1, 1);
  if (held !== undefined && held <= Math.max(...numbers)) return onRolledBack();
  return numbers;
}

function keyOf({ version, key }: IndexedPageKey): string {
  return `${version} ${key}`;
}

/** Deletes points that were replaced, removed or never published; true if there may be more. */
export async function deleteReplaced(deps: IndexerDeps, graceMs: number): Promise<boolean> {
  const { records, generation, collections } = deps;
  const replaced = await records.replaced(generation, { graceMs, abandonedMs: ABANDONED_MS }, DELETED_PAGES);
  if (replaced.length === 0) return false;
  const earlier = await markDeletion(deps);
  await collections.delete([...replaced, ...earlier.map((number) => ({ number, chunks: 0 }))]);
  await records.release([...replaced.map(({ number }) => number), ...earlier]);
  return replaced.length === DELETED_PAGES;
}

/**
 * Before something is deleted: a database that goes back to a state which needs it does not know the number of the mark. Returns
 * the previous marks, which this one replaces.
 */
export async function markDeletion({
  records,
  generation,
  collections,
}: Pick<IndexerDeps, 'records' | 'generation' | 'collections'>): Promise<readonly number[]> {
  const { number, previous } = await records.markDeletion(generation);
  await collections.putMark(number);
  return previous;
}
