// Sends the vectors of texts that were embedded after the points of their pages were sent. The indexer sends those of a page that it
// indexes.

import type { KeyRange } from '../../ports/index-parts.ts';
import { vectorPoint } from './page-points.ts';
import type {
  ChunkOfText,
  IndexedPageKey,
  PointRecords,
  QueuedText,
  TextCursor,
  IndexedSpace,
} from '../../ports/point-records.ts';
import type { Collections } from './collections.ts';

interface VectorDeps {
  readonly generation: number;
  readonly records: PointRecords;
  readonly collections: Collections;
}

/** Sends some queued texts of a part to all of these generations; returns how many. */
export async function sendQueuedVectors(
  records: PointRecords,
  generations: ReadonlyArray<Omit<VectorDeps, 'records'>>,
  limit: number,
  part: KeyRange,
): Promise<number> {
  const queued = generations.length === 0 ? [] : await records.queuedTexts(limit, part);
  if (queued.length === 0) return 0;
  const spaces = new Map((await records.spaces()).map((space) => [space.id, space]));
  for (const [id, texts] of Map.groupBy(queued, ({ space }) => space)) {
    const space = spaces.get(id);
    // The vectors of an earlier model are compared by the store.
    if (space !== undefined)
      for (const generation of generations) await sendTexts({ ...generation, records }, space, texts);
  }
  await records.dequeueTexts(queued);
  return queued.length;
}

/** Chunks that are looked at together: a text that is on every page of a site is not read at once. */
const CHUNKS_PER_STEP = 2000;

async function sendTexts(deps: VectorDeps, space: IndexedSpace, texts: readonly QueuedText[]): Promise<void> {
  const { records, generation, collections } = deps;
  const hashes = texts.map(({ contentHash }) => contentHash);
  const vectors = await records.vectors(space.id, hashes);
  // Before the current ones: a number that is published in the meantime is among both.
  const reserved = Map.groupBy(await records.reserved(generation), keyOf);
  let left: readonly TextCursor[] = hashes.map((contentHash) => ({ contentHash, after: 0 }));
  while (left.length > 0) {
    const limit = Math.ceil(CHUNKS_PER_STEP / left.length);
    const chunks = await records.chunksOfTexts(generation, left, limit);
    const points = chunks.flatMap((chunk) => {
      const vector = vectors.get(chunk.contentHash);
      if (vector === undefined) return [];
      const numbers = new Set((reserved.get(keyOf(chunk)) ?? []).map(({ number }) => number));
      if (chunk.number !== null) numbers.add(chunk.number);
      return [...numbers].map((number) => vectorPoint(number, chunk.ordinal, chunk, vector));
    });
    await collections.putVectors(space, points);
    left = nextCursors(chunks, limit);
  }
}

/** Cursors of the texts that may have more chunks. */
function nextCursors(chunks: readonly ChunkOfText[], limit: number): readonly TextCursor[] {
  const full = [...Map.groupBy(chunks, ({ contentHash }) => contentHash)].filter(([, found]) => found.length >= limit);
  return full.map(([contentHash, found]) => ({ contentHash, after: Math.max(...found.map(({ after }) => after)) }));
}

function keyOf({ version, key }: IndexedPageKey): string {
  return `${version} ${key}`;
}
