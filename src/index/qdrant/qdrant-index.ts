// The search index in Qdrant, for libraries that outgrow the segments. The engine holds points and nothing else: which points are
// right, and samples of the terms with their document frequencies, are in the store's database.

import { INDEX_PARTS, UPKEEP } from '../../ports/index-parts.ts';
import type { PointRecords } from '../../ports/point-records.ts';
import { indexFingerprint } from '../../core/lexical/segment/index-fingerprint.ts';
import { createTermCounter } from '../../core/lexical/segment/term-counter.ts';
import { monotonicMs, now } from '../../platform/clock.ts';
import type { IndexLag, SearchIndex } from '../port.ts';
import { findCandidates } from './candidates.ts';
import { createGenerations, type Generations, type HistoryKeeper, type OpenGeneration } from './generations.ts';
import { deleteReplaced, markDeletion, pendingChanges, type ChangeReader, type IndexerDeps } from './indexer.ts';
import { findNearest } from './nearest.ts';
import type { Nodes } from './nodes.ts';
import { refreshSample } from './refresh-samples.ts';
import { createIndexing, withLease } from './share-indexing.ts';
import { createFrequencies, type Frequencies } from './term-frequencies.ts';
import { verifyPoints } from './verify-points.ts';

export interface QdrantIndex extends SearchIndex {
  /** Whether no page waits to be indexed since the index was created or rebuilt. */
  isFilled(): Promise<boolean>;
  /** Compares every number with the points, and the content of `sample` pages; returns one line for each difference. */
  verify(sample: number): Promise<readonly string[]>;
}

export interface QdrantIndexOptions {
  readonly nodes: Nodes;
  readonly records: PointRecords;
  readonly changes: ChangeReader;
  readonly history: HistoryKeeper;
  /** Timeout of a query with all its attempts. */
  readonly timeoutMs: number;
  /** For how long points are kept that were replaced: longer than any question takes. */
  readonly keepReplacedMs?: number;
  /** After which a part of a process that was killed is indexed by another one. */
  readonly leaseMs?: number;
}

const KEEP_REPLACED_MS = 30_000;
const LEASE_MS = 15_000;

/** Version of the points' format; a new one starts a new generation. */
const POINT_FORMAT = 3;
/** Counted at most: a long queue is not read to its end. */
const MAX_COUNTED_PAGES = 10_000;

export function createQdrantIndex(options: QdrantIndexOptions): QdrantIndex {
  const { records, changes, keepReplacedMs = KEEP_REPLACED_MS, leaseMs = LEASE_MS } = options;
  const generations = createGenerations({ ...options, fingerprint: `${indexFingerprint}.${POINT_FORMAT}` });
  const counter = createTermCounter();
  const depsOf = (generation: OpenGeneration): IndexerDeps => ({
    generation: generation.id,
    records,
    collections: generation.collections,
    changes,
    counter,
    onRolledBack: () => generations.endHistory(generation),
  });

  const dropPreviousVectors = createVectorDrop(records, generations);
  const samples = createFrequencies(records);
  const refresh = createRefresh(records, samples, leaseMs);

  return {
    ...createReads(options, generations, samples),
    index: createIndexing({ records, generations, depsOf, refresh, leaseMs, release: () => counter.trim(0) }),
    async compact(budgetMs) {
      const end = monotonicMs() + budgetMs;
      const isCompact = await withLease(records, UPKEEP, leaseMs, async () => {
        for (const generation of await generations.written())
          while (await deleteReplaced(depsOf(generation), keepReplacedMs)) if (monotonicMs() >= end) return false;
        await dropPreviousVectors();
        while (await generations.deleteDropped()) if (monotonicMs() >= end) return false;
        return true;
      });
      // Null if another process does it.
      return isCompact ?? true;
    },
    async reindex(version) {
      for (const { id } of await generations.written()) await records.queueVersion(id, version);
    },
    ...createProgress(options, generations),
    async verify(sample) {
      const generation = await generations.searched();
      if (generation === null) return [];
      // Points that no row names are kept in the meantime: they show that the database has gone back.
      if (await generations.isRolledBack(generation)) return [ROLLED_BACK];
      return verifyPoints(depsOf(generation), sample);
    },
  };
}

/** At most this share of the time is spent on samples, beyond what a small library takes. */
const REFRESH_SHARE = 0.05;
const SMALL_REFRESH_MS = 100;
/** While pages are indexed, samples are looked at so often. */
const BUSY_CHECK_MS = 5000;

function createRefresh(
  records: PointRecords,
  samples: Frequencies,
  leaseMs: number,
): (isIdle: boolean) => Promise<void> {
  let nextAt = 0;
  let checkedAt = -Infinity;
  return async (isIdle) => {
    const start = monotonicMs();
    if (start < nextAt || (!isIdle && start < checkedAt + BUSY_CHECK_MS)) return;
    checkedAt = start;
    if (await refreshSample(records, { isIdle, leaseMs })) samples.invalidate();
    const end = monotonicMs();
    nextAt = end + Math.max(0, end - start - SMALL_REFRESH_MS) / REFRESH_SHARE;
  };
}

type Reads = Pick<QdrantIndex, 'frequencies' | 'candidates' | 'suggest' | 'nearest' | 'unsentVectors'>;

function createReads(
  { records, timeoutMs }: QdrantIndexOptions,
  generations: Generations,
  samples: Frequencies,
): Reads {
  return {
    async frequencies(versions, terms, signal) {
      signal?.throwIfAborted();
      const generation = await generations.searched();
      if (generation === null) return { chunks: 0, docFrequencies: terms.map(() => 0) };
      return samples.frequencies(generation.collections, versions, terms, { timeoutMs, signal });
    },
    async candidates(query, signal) {
      signal?.throwIfAborted();
      const generation = await generations.searched();
      return generation === null
        ? []
        : findCandidates({ ...generation, records, samples }, query, { timeoutMs, signal });
    },
    async nearest(query, signal) {
      signal?.throwIfAborted();
      const generation = await generations.searched();
      return generation === null
        ? null
        : findNearest({ ...generation, records, samples }, query, { timeoutMs, signal });
    },
    async unsentVectors(space) {
      // The vectors of an earlier model are compared by the store.
      const isHeld = (await records.spaces()).some(({ id }) => id === space);
      return isHeld ? records.countQueuedTexts(space) : 0;
    },
    suggest: (versions, word) => samples.suggest(versions, word),
  };
}

/** A third model replaces the first, whose vectors are dropped. */
function createVectorDrop(records: PointRecords, generations: Generations): () => Promise<void> {
  let heldSpaces = '';
  return async () => {
    const spaces = await records.spaces();
    const held = spaces.map(({ id }) => id).join(' ');
    if (held === heldSpaces) return;
    for (const { id: generation, collections } of await generations.written())
      await collections.keepVectors(
        spaces,
        async () => void (await markDeletion({ records, generation, collections })),
      );
    heldSpaces = held;
  };
}

type Progress = Pick<QdrantIndex, 'isIndexed' | 'lag' | 'isFilled' | 'problem'>;

const ROLLED_BACK = 'the database has gone back to an earlier state, and the index is built again';
const NO_COLLECTIONS = 'its collections are gone, and are built again';

/** Read from the database alone, also while the engine is down; except `problem`. */
function createProgress({ records, changes }: QdrantIndexOptions, generations: Generations): Progress {
  return {
    async isIndexed(version) {
      const generation = await generations.searched();
      if (generation === null) return (await changes.latest()) === 0;
      if (generation.isRolledBack || (await records.isQueued(generation.id, version))) return false;
      for (const part of INDEX_PARTS) {
        const pending = await pendingChanges(changes, generation.id, part, MAX_COUNTED_PAGES);
        if (pending === null || pending.length === MAX_COUNTED_PAGES) return false;
        if (pending.some((change) => change.version === version)) return false;
      }
      return true;
    },
    async lag(maxPages = MAX_COUNTED_PAGES) {
      const generation = await generations.searched();
      const latest = await changes.latest();
      if (generation === null) return { pages: Math.min(maxPages, latest), ageMs: 0 };
      const queued = await records.queued(generation.id, maxPages);
      const unknown = async (): Promise<IndexLag> => {
        return { pages: Math.min(maxPages, (await records.stored()).pages), ageMs: 0 };
      };
      if (generation.isRolledBack) return unknown();
      let changed = 0;
      let ageMs = queued.pages === 0 ? 0 : queued.ageMs;
      for (const part of INDEX_PARTS) {
        const pending = await pendingChanges(changes, generation.id, part, 1);
        // What was missed is unknown.
        if (pending === null) return unknown();
        const [oldest] = pending;
        if (oldest === undefined) continue;
        // The changes since then are spread about evenly over the parts.
        changed += Math.ceil((latest - oldest.position + 1) / INDEX_PARTS.length);
        ageMs = Math.max(ageMs, now() - oldest.at.getTime());
      }
      return { pages: Math.min(maxPages, changed + queued.pages), ageMs: Math.max(0, ageMs) };
    },
    async isFilled() {
      const generation = await generations.searched();
      if (generation === null || generation.isRolledBack) return false;
      return (await records.queued(generation.id, 1)).pages === 0;
    },
    async problem() {
      const generation = await generations.searched();
      // Before the first number its collections may have yet to be created.
      if (generation === null || generation.lastNumber === 0) return null;
      if (!(await generation.collections.exist())) return NO_COLLECTIONS;
      return (await generations.isRolledBack(generation)) ? ROLLED_BACK : null;
    },
  };
}
