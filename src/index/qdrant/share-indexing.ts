// Indexes part by part, under its lease: processes that index at the same time share the work.

import { INDEX_PARTS, type IndexPart } from '../../ports/index-parts.ts';
import type { PointRecords } from '../../ports/point-records.ts';
import { every, random } from '../../platform/clock.ts';
import type { Generations, OpenGeneration } from './generations.ts';
import { indexSome, isIdle, type IndexerDeps } from './indexer.ts';
import { sendQueuedVectors } from './send-vectors.ts';

export interface IndexingOptions {
  readonly records: PointRecords;
  readonly generations: Generations;
  readonly depsOf: (generation: OpenGeneration) => IndexerDeps;
  /** Looks after the samples; whether there is nothing else to do. */
  readonly refresh: (isDone: boolean) => Promise<void>;
  readonly leaseMs: number;
  /** Releases the memory of an idle indexer. */
  readonly release: () => void;
}

/** Texts whose vectors are sent in one step. */
const VECTORS_PER_STEP = 500;

/** Indexes some pages of one part; returns how many. 0 if all are indexed, or others do it. */
export function createIndexing(options: IndexingOptions): (limit: number) => Promise<number> {
  const { records, generations, depsOf, refresh, leaseMs } = options;
  const partsInTurn = createTurns();

  async function indexPart(written: readonly OpenGeneration[], part: IndexPart, limit: number): Promise<number> {
    const sent = await sendQueuedVectors(records, written.map(depsOf), VECTORS_PER_STEP, part);
    for (const generation of written) {
      const indexed = await indexSome(depsOf(generation), part, limit);
      if (indexed === null) {
        await generations.replace(generation);
        return 1;
      }
      if (indexed > 0) return indexed + sent;
    }
    return sent;
  }

  return async (limit) => {
    const written = await generations.written();
    const hasTexts = written.length > 0 && (await records.queuedTexts(1)).length > 0;
    let isAllIdle = true;
    for (const part of partsInTurn()) {
      if (!hasTexts && (await areIdle(written.map(depsOf), part))) continue;
      const indexed = await withLease(records, part.nth, leaseMs, () => indexPart(written, part, limit));
      if (indexed !== null && indexed > 0) {
        await refresh(false);
        return indexed;
      }
      // Another process works on it, or has done so since.
      isAllIdle = false;
    }
    if (!isAllIdle) return 0;
    for (const generation of written) if (generation.state === 'building') await generations.finish(generation);
    await refresh(true);
    options.release();
    return 0;
  };
}

/** Processes begin with different parts, so that they do not wait for each other. */
function createTurns(): () => readonly IndexPart[] {
  let turn = Math.floor(random() * INDEX_PARTS.length);
  return () => {
    turn += 1;
    return INDEX_PARTS.map((_, at) => INDEX_PARTS[(at + turn) % INDEX_PARTS.length]).filter(
      (part) => part !== undefined,
    );
  };
}

async function areIdle(generations: readonly IndexerDeps[], part: IndexPart): Promise<boolean> {
  for (const generation of generations) if (!(await isIdle(generation, part))) return false;
  return true;
}

type LeaseRecords = Pick<PointRecords, 'lease' | 'renewLease' | 'releaseLease'>;

/** Work that one process does at a time: it holds a lease in the database, and renews it in the meantime. Null if another process does it. */
export async function withLease<T>(
  records: LeaseRecords,
  part: number,
  leaseMs: number,
  work: () => Promise<T>,
): Promise<T | null> {
  const lease = await records.lease(part, leaseMs);
  if (lease === null) return null;
  // A lost lease does no harm: a page that another process has published in the meantime is not published a second time.
  const renewal = every(leaseMs / 3, () => void records.renewLease(lease, leaseMs).catch(() => undefined));
  try {
    return await work();
  } finally {
    renewal.cancel();
    await records.releaseLease(lease).catch(() => undefined);
  }
}
