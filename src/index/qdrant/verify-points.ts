// Compares the engine with the store, in both directions: every page has its points, every point its page, and the points of some
// pages hold what their texts say. Pages that change in the meantime are compared again, and points without a page are deleted.

import { INDEX_PARTS } from '../../ports/index-parts.ts';
import { chunkPointId, pagePoints, chunkPosition, type PagePoint } from './page-points.ts';
import type { NumberedPage } from '../../ports/point-records.ts';
import { pendingChanges, type IndexerDeps } from './indexer.ts';

/** Pages whose points are held in memory at a time. */
const PAGES_PER_WINDOW = 5000;
const PAGES_PER_STEP = 500;
const IDS_PER_REQUEST = 10_000;
const MAX_LINES = 100;
/** With more, the engine has yet to get them, and `verify` is asked too early. */
const MAX_QUEUED = 10_000;

/** One line for each difference, up to a maximum. */
export async function verifyPoints(
  deps: IndexerDeps,
  sample: number,
  window = PAGES_PER_WINDOW,
): Promise<readonly string[]> {
  const lines = [...(await deps.records.compare(deps.generation, MAX_LINES))];
  let left = sample;
  for (let after = 0; lines.length < MAX_LINES;) {
    const pages = await deps.records.list(deps.generation, after, window);
    const last = pages.length < window ? Infinity : (pages.at(-1)?.number ?? Infinity);
    const [heldPages, heldChunks] = [
      await heldNumbers(deps, 'pages', { after, last }),
      await heldNumbers(deps, 'chunks', { after, last }),
    ];
    const incomplete = pages.filter(
      ({ number, chunks }) => !heldPages.has(number) || (heldChunks.get(number) ?? 0) < chunks,
    );
    for (const { number } of await stillCurrent(deps, incomplete)) lines.push(`number ${number} lacks points`);
    const compared = pages.slice(0, left);
    left -= compared.length;
    for (let at = 0; at < compared.length; at += PAGES_PER_STEP)
      lines.push(...(await compareContent(deps, compared.slice(at, at + PAGES_PER_STEP))));
    if (last === Infinity) break;
    after = last;
  }
  return lines.slice(0, MAX_LINES);
}

async function compareContent(deps: IndexerDeps, pages: readonly NumberedPage[]): Promise<string[]> {
  const differ = await stillCurrent(deps, await differing(deps, pages));
  const lack = await stillCurrent(deps, await withoutVectors(deps, pages));
  return [
    ...differ.map(({ number }) => `number ${number} has points of another text`),
    ...lack.map(({ number }) => `number ${number} lacks vectors`),
  ];
}

interface NumberRange {
  /** Exclusive. */
  readonly after: number;
  /** Infinity for all that follow. */
  readonly last: number;
}

/** How many points each number of the range has; points whose number no row names are deleted. */
async function heldNumbers(
  { collections, records }: IndexerDeps,
  of: 'pages' | 'chunks',
  { after, last }: NumberRange,
): Promise<ReadonlyMap<number, number>> {
  const numberOf = (id: number): number => (of === 'pages' ? id : chunkPosition(id).page);
  const counts = new Map<number, number>();
  for (let from: number | null = of === 'pages' ? after + 1 : chunkPointId(after + 1, 0); from !== null;) {
    const ids: readonly number[] = await collections.ids(of, from, IDS_PER_REQUEST);
    const inRange = ids.filter((id) => numberOf(id) <= last);
    // Rows are read after the points: a number is reserved before its points are sent.
    const numbers = [...new Set(inRange.map(numberOf))];
    const existing = await records.existing(numbers);
    const unknown = numbers.filter((number) => !existing.has(number));
    if (unknown.length > 0) await collections.deleteNumbers(unknown);
    for (const number of inRange.map(numberOf))
      if (existing.has(number)) counts.set(number, (counts.get(number) ?? 0) + 1);
    const end = ids.at(-1);
    from = end === undefined || inRange.length < ids.length ? null : end + 1;
  }
  return counts;
}

/** The pages that were not replaced during the comparison. */
async function stillCurrent(
  { records, generation }: IndexerDeps,
  pages: readonly NumberedPage[],
): Promise<readonly NumberedPage[]> {
  if (pages.length === 0) return [];
  const current = new Set((await records.numbersOf(generation, pages)).map(({ number }) => number));
  return pages.filter(({ number }) => current.has(number));
}

/** Pages that are about to be indexed again, as `version key`. */
async function pendingPages({ changes, generation }: IndexerDeps): Promise<ReadonlySet<string>> {
  const pending = new Set<string>();
  for (const part of INDEX_PARTS)
    for (const { version, page } of (await pendingChanges(changes, generation, part, PAGES_PER_STEP)) ?? [])
      pending.add(`${version} ${page}`);
  return pending;
}

async function differing(deps: IndexerDeps, pages: readonly NumberedPage[]): Promise<readonly NumberedPage[]> {
  if (pages.length === 0) return [];
  const vectors = await deps.collections.pageVectors(pages.map(({ number }) => number));
  const pending = await pendingPages(deps);
  const stored = new Map((await deps.records.read(pages)).map((page) => [`${page.version} ${page.key}`, page]));
  return pages.filter((page) => {
    const key = `${page.version} ${page.key}`;
    const text = stored.get(key);
    const vector = vectors.get(page.number);
    if (text === undefined || vector === undefined || pending.has(key)) return false;
    return !isSame(vector.score, pagePoints(page.number, text, deps.counter).page.vector.score);
  });
}

/** Pages with a text that has a vector in the store and none in the engine. */
async function withoutVectors(deps: IndexerDeps, pages: readonly NumberedPage[]): Promise<readonly NumberedPage[]> {
  if (pages.length === 0) return [];
  const { records, collections } = deps;
  const pending = await pendingPages(deps);
  const settled = pages.filter(({ version, key }) => !pending.has(`${version} ${key}`));
  const stored = new Map((await records.read(settled)).map((page) => [`${page.version} ${page.key}`, page.chunks]));
  const hashes = [...stored.values()].flatMap((chunks) => chunks.map(({ contentHash }) => contentHash));
  const queued = new Set((await records.queuedTexts(MAX_QUEUED)).map(({ contentHash }) => contentHash));
  const lacking = new Set<NumberedPage>();
  for (const space of await records.spaces()) {
    const vectors = await records.vectors(space.id, hashes);
    const expected = settled.flatMap((page) => {
      const chunks = stored.get(`${page.version} ${page.key}`)?.slice(0, page.chunks) ?? [];
      return chunks.flatMap(({ contentHash }, ordinal) =>
        vectors.has(contentHash) && !queued.has(contentHash) ? [{ page, id: chunkPointId(page.number, ordinal) }] : [],
      );
    });
    const held = await collections.vectorIds(
      space,
      expected.map(({ id }) => id),
    );
    for (const { page, id } of expected) if (!held.has(id)) lacking.add(page);
  }
  return [...lacking];
}

type Scores = PagePoint['vector']['score'];

function isSame(held: Scores, expected: Scores): boolean {
  if (held.indices.length !== expected.indices.length) return false;
  const values = new Map(held.indices.map((index, at) => [index, held.values[at] ?? 0]));
  return expected.indices.every(
    (index, at) => Math.fround(values.get(index) ?? 0) === Math.fround(expected.values[at] ?? 0),
  );
}
