// The search index in Qdrant, for libraries that outgrow the segments. The engine holds points and nothing else: which points are
// right, document frequencies and the vocabulary are in the store's database.

import type { PointRecords } from '../../core/lexical/points/point-records.ts';
import { spellingRange } from '../../core/lexical/query/spelling.ts';
import { indexFingerprint } from '../../core/lexical/segment/index-fingerprint.ts';
import { createTermCounter } from '../../core/lexical/segment/term-counter.ts';
import type { SearchIndex } from '../port.ts';
import { findCandidates } from './candidates.ts';
import { createGenerations, type Generations, type OpenGeneration } from './generations.ts';
import {
  deleteReplaced,
  indexSome,
  pendingChanges,
  positionOf,
  type ChangeReader,
  type IndexerDeps,
} from './indexer.ts';
import { findNearest } from './nearest.ts';
import type { Nodes } from './nodes.ts';
import { sendQueuedVectors } from './send-vectors.ts';
import { verifyPoints } from './verify-points.ts';

export interface QdrantIndex extends SearchIndex {
  /** Whether no page waits to be indexed since the index was created or rebuilt. */
  isFilled(): Promise<boolean>;
  /** Compares every number with the points, and the content of `sample` pages; says what differs, one line each. */
  verify(sample: number): Promise<readonly string[]>;
}

export interface QdrantIndexOptions {
  readonly nodes: Nodes;
  readonly records: PointRecords;
  readonly changes: ChangeReader;
  /** Of a query, with all its attempts. */
  readonly timeoutMs: number;
  /** For how long points are kept that were replaced: longer than any question takes. */
  readonly keepReplacedMs?: number;
}

const KEEP_REPLACED_MS = 30_000;

/** Of the points; another one is a new generation. */
const FORM = 3;
/** Texts whose vectors are sent in one step. */
const VECTORS_PER_STEP = 500;
/** Counted at most: a long queue is not read to its end. */
const MAX_COUNTED_PAGES = 10_000;

export function createQdrantIndex(options: QdrantIndexOptions): QdrantIndex {
  const { nodes, records, changes, keepReplacedMs = KEEP_REPLACED_MS } = options;
  const generations = createGenerations({ nodes, records, changes, fingerprint: `${indexFingerprint}.${FORM}` });
  const counter = createTermCounter();
  const depsOf = ({ id, collections }: OpenGeneration): IndexerDeps => ({
    generation: id,
    records,
    collections,
    changes,
    counter,
  });

  const dropFormerVectors = createVectorDrop(records, generations);

  return {
    ...createReads(options, generations),
    async index(limit) {
      const written = await generations.written();
      const sent = await sendQueuedVectors(records, written.map(depsOf), VECTORS_PER_STEP);
      for (const generation of written) {
        const indexed = await indexSome(depsOf(generation), limit);
        if (indexed === null) {
          await generations.replace(generation);
          return 1;
        }
        if (indexed > 0) return indexed + sent;
        if (generation.state === 'building') await generations.finish(generation);
      }
      // An idle indexer releases its memory.
      counter.trim(0);
      return sent;
    },
    async compact(budgetMs) {
      const end = performance.now() + budgetMs;
      for (const generation of await generations.written())
        while (await deleteReplaced(depsOf(generation), keepReplacedMs)) if (performance.now() >= end) return false;
      await dropFormerVectors();
      while (await generations.deleteDropped()) if (performance.now() >= end) return false;
      return true;
    },
    async reindex(version) {
      for (const { id } of await generations.written()) await records.queueVersion(id, version);
    },
    ...createProgress(options, generations),
    async verify(sample) {
      const generation = await generations.searched();
      return generation === null ? [] : verifyPoints(depsOf(generation), sample);
    },
  };
}

type Reads = Pick<QdrantIndex, 'candidates' | 'suggest' | 'nearest'>;

function createReads({ records, timeoutMs }: QdrantIndexOptions, generations: Generations): Reads {
  return {
    async candidates(query, signal) {
      signal?.throwIfAborted();
      const generation = await generations.searched();
      if (generation === null) return { chunks: 0, docFrequencies: query.terms.map(() => 0), pages: [] };
      return findCandidates({ ...generation, records }, query, { timeoutMs, signal });
    },
    async nearest(query, signal) {
      const generation = await generations.searched();
      return generation === null ? null : findNearest({ ...generation, records }, query, { timeoutMs, signal });
    },
    async suggest(versions, word) {
      const generation = await generations.searched();
      if (generation === null) return [];
      const { prefix, length } = spellingRange(word);
      return records.termsWithPrefix(generation.id, versions, prefix, length);
    },
  };
}

/** A third model replaces the first, whose vectors are dropped. */
function createVectorDrop(records: PointRecords, generations: Generations): () => Promise<void> {
  let heldSpaces = '';
  return async () => {
    const spaces = await records.spaces();
    const held = spaces.map(({ id }) => id).join(' ');
    if (held === heldSpaces) return;
    for (const { collections } of await generations.written()) await collections.keepVectors(spaces);
    heldSpaces = held;
  };
}

type Progress = Pick<QdrantIndex, 'isIndexed' | 'lag' | 'isFilled'>;

/** Read from the database alone, also while the engine is down. */
function createProgress({ records, changes }: QdrantIndexOptions, generations: Generations): Progress {
  return {
    async isIndexed(version) {
      const generation = await generations.searched();
      if (generation === null) return (await changes.latest()) === 0;
      if (await records.isQueued(generation.id, version)) return false;
      const pending = await pendingChanges(changes, generation.id, MAX_COUNTED_PAGES);
      if (pending === null || pending.length === MAX_COUNTED_PAGES) return false;
      return pending.every((change) => change.version !== version);
    },
    async lag(maxPages = MAX_COUNTED_PAGES) {
      const generation = await generations.searched();
      const latest = await changes.latest();
      if (generation === null) return { pages: Math.min(maxPages, latest), ageMs: 0 };
      const position = await positionOf(changes, generation.id);
      const queued = await records.queued(generation.id, maxPages);
      const pending = await pendingChanges(changes, generation.id, 1);
      // Nobody knows what was missed.
      if (pending === null) return { pages: Math.min(maxPages, (await records.stored()).pages), ageMs: 0 };
      const [oldest] = pending;
      const waitedMs = oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.at.getTime());
      return {
        pages: Math.min(maxPages, latest - position + queued.pages),
        ageMs: Math.max(waitedMs, queued.pages === 0 ? 0 : queued.ageMs),
      };
    },
    async isFilled() {
      const generation = await generations.searched();
      return generation !== null && (await records.queued(generation.id, 1)).pages === 0;
    },
  };
}
