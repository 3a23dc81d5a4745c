// Replaces the chunks of pages. A chunk whose id stays keeps its row and its vector, and its search row too unless the
// page's title or the chunk's headings changed; only what came, went or changed place is written.

import { sha256Hex } from '../../../core/model/hash.ts';
import type { Chunk } from '../../../core/model/chunk.ts';
import { hashBytes, hex, jsonText } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Executor, type Value } from '../engine/engine.ts';
import { queueForIndex } from '../search/index-queue.ts';

/** What may change about a chunk while its text, and so its id, stays. */
const PLACE = {
  ordinal: 'int',
  kind: 'text',
  headings: 'text',
  anchor: 'text',
  symbol: 'text',
  address: 'text',
  first_line: 'int',
  last_line: 'int',
  tokens: 'int',
} as const;
const PLACE_COLUMNS = Object.keys(PLACE) as ReadonlyArray<keyof typeof PLACE>;

const existing = batch(
  { version_id: 'int', url_key: 'bytes' },
  `select pk, chunks.version_id, chunks.url_key, chunk_id, chunks.content_hash, pages.title as page_title, ${PLACE_COLUMNS.map((name) => `chunks.${name}`).join(', ')}
   from chunks, pages, {rows} r where chunks.version_id = r.version_id and chunks.url_key = r.url_key
     and pages.version_id = r.version_id and pages.url_key = r.url_key`,
);

const remove = batch({ pk: 'int' }, `delete from chunks where pk in (select r.pk from {rows} r)`);

const move = batch(
  { pk: 'int', ...PLACE },
  `update chunks set ${PLACE_COLUMNS.map((name) => `${name} = r.${name}`).join(', ')} from {rows} r where chunks.pk = r.pk`,
);

const insert = batch(
  {
    version_id: 'int',
    url_key: 'bytes',
    ordinal: 'int',
    chunk_id: 'bytes',
    content_hash: 'bytes',
    kind: 'text',
    headings: 'text',
    anchor: 'text',
    symbol: 'text',
    address: 'text',
    text: 'text',
    first_line: 'int',
    last_line: 'int',
    tokens: 'int',
  },
  `insert into chunks (version_id, url_key, ordinal, chunk_id, content_hash, kind, headings, anchor, symbol, address, text, first_line, last_line, tokens)
   select r.version_id, r.url_key, r.ordinal, r.chunk_id, r.content_hash, r.kind, r.headings, r.anchor, r.symbol, r.address, r.text, r.first_line, r.last_line, r.tokens
   from {rows} r where true`,
);

type Place = Readonly<Record<keyof typeof PLACE, Value>>;

interface ChunkRow extends Place {
  readonly pk: number;
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly chunk_id: Uint8Array;
  readonly content_hash: Uint8Array;
  readonly page_title: string;
}

export interface PageChunks {
  readonly version: number;
  readonly key: Uint8Array;
  readonly title: string;
  /** Empty for a page that goes. */
  readonly chunks: readonly Chunk[];
  /** The page had chunks before. */
  readonly known: boolean;
}

/** Written with the page and compared by `verify`: the chunks of a page are exactly those of its content. */
export function chunkDigest(chunks: readonly Chunk[]): Uint8Array {
  return hashBytes(sha256Hex(chunks.map((chunk) => chunk.id).join('\n')));
}

interface Plan {
  readonly removed: ChunkRow[];
  readonly moved: Value[][];
  /** Pages that must be indexed again: a chunk came, went or moved, or the title changed. */
  readonly touched: Set<PageChunks>;
  readonly added: Array<{ readonly page: PageChunks; readonly ordinal: number; readonly chunk: Chunk }>;
}

/** The chunks that known pages have now. Read before their pages are written: it tells the title they are found by. */
export async function chunksBefore(tx: Executor, pages: readonly PageChunks[]): Promise<readonly ChunkRow[]> {
  return tx.each<ChunkRow>(
    existing,
    pages.filter((page) => page.known).map((page) => [page.version, page.key]),
  );
}

export async function replaceChunks(
  tx: Executor,
  parts: EngineParts,
  pages: readonly PageChunks[],
  before: readonly ChunkRow[],
): Promise<void> {
  if (pages.length === 0) return;
  const plan = planReplacement(before, pages);
  if (plan.removed.length + plan.added.length > 0) await settleTexts(tx, parts, plan);
  await tx.each(
    remove,
    plan.removed.map((row) => [row.pk]),
  );
  await tx.each(move, plan.moved);
  await tx.each(insert, plan.added.map(rowOf));
  await forgetTexts(tx, plan);
  await queueForIndex(tx, [...plan.touched]);
}

function planReplacement(before: readonly ChunkRow[], pages: readonly PageChunks[]): Plan {
  const left = new Map(before.map((row) => [placeOf(row.version_id, hex(row.chunk_id)), row]));
  const plan: Plan = { removed: [], moved: [], touched: new Set(), added: [] };
  for (const page of pages) {
    page.chunks.forEach((chunk, ordinal) => {
      const id = placeOf(page.version, chunk.id);
      const row = left.get(id);
      left.delete(id);
      if (row === undefined) {
        plan.touched.add(page);
        plan.added.push({ page, ordinal, chunk });
      } else planKept(plan, row, { page, ordinal, chunk });
    });
  }
  plan.removed.push(...left.values());
  const shrunk = new Set(plan.removed.map((row) => placeOf(row.version_id, hex(row.url_key))));
  for (const page of pages) if (shrunk.has(placeOf(page.version, hex(page.key)))) plan.touched.add(page);
  return plan;
}

function planKept(plan: Plan, row: ChunkRow, kept: Plan['added'][number]): void {
  const place = placeOfChunk(kept.chunk, kept.ordinal);
  const hasMoved = PLACE_COLUMNS.some((name) => row[name] !== place[name]);
  if (hasMoved) plan.moved.push([row.pk, ...PLACE_COLUMNS.map((name) => place[name])]);
  if (hasMoved || row.page_title !== kept.page.title) plan.touched.add(kept.page);
}

function placeOfChunk(chunk: Chunk, ordinal: number): Place {
  return {
    ordinal,
    kind: chunk.kind,
    headings: jsonText(chunk.headings),
    anchor: chunk.anchor,
    symbol: chunk.symbol,
    address: chunk.address,
    first_line: chunk.lines.first,
    last_line: chunk.lines.last,
    tokens: chunk.tokens,
  };
}

/** Two versions may hold the same chunk or page: the same site added twice. */
function placeOf(version: number, chunkId: string): string {
  return `${version} ${chunkId}`;
}

function rowOf({ page, ordinal, chunk }: Plan['added'][number]): Value[] {
  return [
    page.version,
    page.key,
    ordinal,
    hashBytes(chunk.id),
    hashBytes(chunk.contentHash),
    chunk.kind,
    jsonText(chunk.headings),
    chunk.anchor,
    chunk.symbol,
    chunk.address,
    chunk.text,
    chunk.lines.first,
    chunk.lines.last,
    chunk.tokens,
  ];
}

const want = batch(
  { content_hash: 'bytes' },
  `insert into embeddings (space_id, content_hash, state, wake_at)
   select spaces.id, r.content_hash, 0, 0 from spaces, {rows} r where true on conflict do nothing`,
);

const forget = [
  batch(
    { content_hash: 'bytes' },
    `delete from vectors where content_hash in (select r.content_hash from {rows} r where not exists (select 1 from chunks where chunks.content_hash = r.content_hash))`,
  ),
  batch(
    { content_hash: 'bytes' },
    `delete from embeddings where content_hash in (select r.content_hash from {rows} r where not exists (select 1 from chunks where chunks.content_hash = r.content_hash))`,
  ),
];

/** New texts become wanted in every space. Skipped, with its lock, while there is no space. */
async function settleTexts(tx: Executor, parts: EngineParts, plan: Plan): Promise<void> {
  const spaces = await tx.all(`select 1 as one from spaces limit 1`);
  if (spaces.length === 0) return;
  await parts.lockTexts(tx);
  await tx.each(want, hashRows(plan.added.map(({ chunk }) => chunk.contentHash)));
}

/** Texts that no chunk uses any more take their vectors with them. */
async function forgetTexts(tx: Executor, plan: Plan): Promise<void> {
  const rows = hashRows(plan.removed.map((row) => hex(row.content_hash)));
  for (const statement of forget) await tx.each(statement, rows);
}

function hashRows(hashes: readonly string[]): Uint8Array[][] {
  return [...new Set(hashes)].sort().map((hash) => [hashBytes(hash)]);
}
