// Sends vectors to the engine: those of a page with its points, and those of texts that were embedded since. A number is reserved before
// the vectors of its page are read, and a vector is queued in the transaction that stores it; so whichever comes second sends it.

import { vectorPoints } from '../../core/lexical/points/vector-points.ts';
import type { IndexedPage } from '../../core/lexical/points/page-points.ts';
import type { PageKey, PointRecords, QueuedText, VectorSpace } from '../../core/lexical/points/point-records.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import type { Collections } from './collections.ts';

interface VectorDeps {
  readonly generation: number;
  readonly records: PointRecords;
  readonly collections: Collections;
}

type NumberedText = readonly [number: number, page: IndexedPage];

/** Of pages that were just read, before their numbers are published. */
export async function sendPageVectors(deps: VectorDeps, pages: readonly NumberedText[]): Promise<void> {
  const hashes = new Set(pages.flatMap(([, { chunks }]) => chunks.map(({ contentHash }) => contentHash)));
  for (const space of await deps.records.spaces()) await send(deps, space, pages, [...hashes]);
}

async function send(
  { records, collections }: VectorDeps,
  space: VectorSpace,
  pages: readonly NumberedText[],
  hashes: readonly Sha256[],
): Promise<void> {
  const vectors = await records.vectors(space.id, hashes);
  await collections.putVectors(
    space,
    pages.flatMap(([number, page]) => vectorPoints(number, page, vectors)),
  );
}

/** Sends some queued texts to all of these generations; returns how many. */
export async function sendQueuedVectors(
  records: PointRecords,
  generations: ReadonlyArray<Omit<VectorDeps, 'records'>>,
  limit: number,
): Promise<number> {
  const queued = generations.length === 0 ? [] : await records.queuedTexts(limit);
  if (queued.length === 0) return 0;
  const spaces = new Map((await records.spaces()).map((space) => [space.id, space]));
  for (const [id, texts] of Map.groupBy(queued, ({ space }) => space)) {
    const space = spaces.get(id);
    // Of an earlier model: the store compares its vectors.
    if (space !== undefined)
      for (const generation of generations) await sendTexts({ ...generation, records }, space, texts);
  }
  await records.dequeueTexts(queued);
  return queued.length;
}

async function sendTexts(deps: VectorDeps, space: VectorSpace, texts: readonly QueuedText[]): Promise<void> {
  const { records, generation } = deps;
  const hashes = texts.map(({ contentHash }) => contentHash);
  const keys = await records.pagesWithTexts(hashes);
  const wanted = new Set(keys.map(keyOf));
  const reserved = await records.reserved(generation);
  const numbers = [
    ...(await records.numbersOf(generation, keys)),
    ...reserved.filter((page) => wanted.has(keyOf(page))),
  ];
  const stored = new Map((await records.read(keys)).map((page) => [keyOf(page), page]));
  const pages = numbers.flatMap((page): NumberedText[] => {
    const text = stored.get(keyOf(page));
    return text === undefined ? [] : [[page.number, text]];
  });
  await send(deps, space, pages, hashes);
}

function keyOf({ version, key }: PageKey): string {
  return `${version} ${key}`;
}
