// Sends vectors to the engine: those of a page with its points, and those of texts that were embedded since. A number is reserved before
// the vectors of its page are read, and a vector is queued in the transaction that stores it; so whichever comes second sends it.

import type { KeyRange } from '../../core/lexical/points/index-parts.ts';
import { vectorPoint, vectorPoints } from '../../core/lexical/points/vector-points.ts';
import type { IndexedPage } from '../../core/lexical/points/page-points.ts';
import type {
  ChunkOfText,
  IndexedPageKey,
  PointRecords,
  QueuedText,
  TextCursor,
  IndexedSpace,
} from '../../core/lexical/points/point-records.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import type { Collections } from './collections.ts';

interface VectorDeps {
  readonly generation: number;
  readonly records: PointRecords;
  readonly collections: Collections;
}

type NumberedText = readonly [number: number, page: IndexedPage];

/** Sends the vectors of pages that were just read, before their numbers are published. */
export async function sendPageVectors(deps: VectorDeps, pages: readonly NumberedText[]): Promise<void> {
  const hashes = new Set(pages.flatMap(([, { chunks }]) => chunks.map(({ contentHash }) => contentHash)));
  for (const space of await deps.records.spaces()) await send(deps, space, pages, [...hashes]);
}

async function send(
  { records, collections }: VectorDeps,
  space: IndexedSpace,
  pages: readonly NumberedText[],
  hashes: readonly Sha256[],
): Promise<void> {
  const vectors = await records.vectors(space.id, hashes);
  await collections.putVectors(
    space,
    pages.flatMap(([number, page]) => vectorPoints(number, page, vectors)),
  );
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
