// Replaces the chunks of pages. A chunk that keeps its id keeps its row and its vector; only chunks that were added, removed or
// moved are written. If any of them was, or if its title or its kinds changed, the page is queued for indexing and has a change to
// announce. A new word vector alone is written and not announced: no reader of changes sees it.

import { sha256Hex } from '../../../core/model/hash.ts';
import type { Chunk } from '../../../core/model/chunk.ts';
import { fileKindOf } from '../../../core/files/file-kind.ts';
import { symbolParts } from '../../../core/lexical/query/symbol-parts.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { JsonObject } from '../../port/json.ts';
import type { Run } from '../../port/runs.ts';
import { hashBytes, hex, jsonObject, jsonText, keyBytes, packIds } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, singleStatement, type Executor, type Value } from '../engine/engine.ts';
import type { NewChange } from '../runs/transaction-tail.ts';
import { dropUnusedTexts, queueTexts, type AddedText } from '../vectors/chunk-texts.ts';

/** Columns that may change while a chunk keeps its text, and so its id. */
const MUTABLE = {
  ordinal: 'int',
  passage_kind: 'text',
  headings: 'text',
  anchor: 'text',
  symbol: 'text',
  json_path: 'text',
  first_line: 'int',
  last_line: 'int',
  tokens: 'int',
} as const;
const MUTABLE_COLUMNS = Object.keys(MUTABLE) as ReadonlyArray<keyof typeof MUTABLE>;

const selectExisting = singleStatement(
  batch(
    { version_id: 'int', url_key: 'bytes' },
    `select chunks.pk, chunks.version_id, chunks.url_key, chunks.chunk_id, chunks.content_hash, chunks.word_vector, pages.title as page_title, pages.metadata, pages.media_type, ${MUTABLE_COLUMNS.map((name) => `chunks.${name}`).join(', ')}
   from {rows} r {then pages where pages.version_id = r.version_id and pages.url_key = r.url_key}
     {then chunks where chunks.version_id = r.version_id and chunks.url_key = r.url_key}`,
  ),
);

const deleteChunk = singleStatement(batch({ pk: 'int' }, `delete from chunks where pk in (select r.pk from {rows} r)`));

const updateChunk = batch(
  { pk: 'int', word_vector: 'bytes', ...MUTABLE },
  `update chunks set word_vector = r.word_vector, ${MUTABLE_COLUMNS.map((name) => `${name} = r.${name}`).join(', ')} from {rows} r where chunks.pk = r.pk`,
);

const CHUNK = {
  version_id: 'int',
  url_key: 'bytes',
  chunk_id: 'bytes',
  content_hash: 'bytes',
  text: 'text',
  word_vector: 'bytes',
  ...MUTABLE,
} as const;
const CHUNK_COLUMNS = Object.keys(CHUNK);

const insertChunk = batch(
  CHUNK,
  `insert into chunks (${CHUNK_COLUMNS.join(', ')}) select ${CHUNK_COLUMNS.map((name) => `r.${name}`).join(', ')} from {rows} r where true`,
);

/** The names of symbols, by which chunks are found with an index; those of deleted chunks go with them. */
const insertNames = batch(
  { version_id: 'int', chunk_id: 'bytes', name: 'text' },
  `insert into symbol_names (version_id, name, chunk_pk)
   select r.version_id, r.name, chunks.pk from chunks, {rows} r where chunks.version_id = r.version_id and chunks.chunk_id = r.chunk_id`,
);

const deleteNames = singleStatement(
  batch({ pk: 'int' }, `delete from symbol_names where chunk_pk in (select r.pk from {rows} r)`),
);

const queuePage = batch(
  { version_id: 'int', url_key: 'bytes' },
  `insert into index_queue (version_id, url_key, enqueued_at) select r.version_id, r.url_key, now_ms() from {rows} r where true
   on conflict (version_id, url_key) do update set revision = index_queue.revision + 1`,
);

type MutableColumns = Readonly<Record<keyof typeof MUTABLE, Value>>;

interface ChunkRow extends MutableColumns {
  readonly pk: number;
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly chunk_id: Uint8Array;
  readonly content_hash: Uint8Array;
  readonly word_vector: Uint8Array | null;
  readonly page_title: string;
  readonly metadata: string;
  readonly media_type: string;
}

export interface PageChunks {
  readonly version: number;
  readonly source: number;
  readonly url: PageUrl;
  readonly key: Uint8Array;
  readonly title: string;
  /** Result of `kindsOf`. */
  readonly kinds: string;
  /** Empty for a page that is removed. */
  readonly chunks: readonly Chunk[];
  readonly digest: Uint8Array;
  /** The page was stored before, so it may have chunks. */
  readonly hadChunks: boolean;
}

/** Stored with the page and checked by `verify`: the chunks of a page are exactly those of its content. */
export function chunkDigest(chunks: readonly Chunk[]): Uint8Array {
  return hashBytes(sha256Hex(chunks.map((chunk) => chunk.id).join('\n')));
}

/** Kinds that a search may be restricted to. */
export function kindsOf(metadata: JsonObject, mediaType: string): string {
  const { pageKind } = metadata;
  return `${typeof pageKind === 'string' ? pageKind : ''} ${fileKindOf(mediaType)}`;
}

const NO_CHUNKS = chunkDigest([]);

/** A page that loses all of its chunks. */
export function withoutChunks({ version, source }: Run, url: PageUrl, key = keyBytes(url)): PageChunks {
  return { version, source, url, key, title: '', kinds: '', chunks: [], digest: NO_CHUNKS, hadChunks: true };
}

interface PlannedChunk {
  readonly page: PageChunks;
  readonly ordinal: number;
  readonly chunk: Chunk;
}

interface Plan {
  readonly removed: readonly ChunkRow[];
  /** The same by the name of the page. */
  readonly removedFrom: ReadonlyMap<string, readonly ChunkRow[]>;
  readonly moved: Value[][];
  /** Pages to index again. */
  readonly touched: Set<PageChunks>;
  readonly added: PlannedChunk[];
  /** Chunks whose symbol changed, by the key of their row. */
  readonly renamed: Map<number, PlannedChunk>;
  /** For each page: whether some of its chunks stay, and the ids of those that are added. */
  readonly parts: Map<PageChunks, { readonly isRetained: boolean; readonly added: readonly string[] }>;
}

/** The current chunks of stored pages. Read before the pages are written, because it includes their indexed titles. */
export async function readChunks(tx: Executor, pages: readonly PageChunks[]): Promise<readonly ChunkRow[]> {
  return tx.each<ChunkRow>(
    selectExisting,
    pages.filter((page) => page.hadChunks).map((page) => [page.version, page.key]),
  );
}

/** The changes that it returns are announced at the end of the transaction. */
export async function replaceChunks(
  tx: Executor,
  parts: EngineParts,
  pages: readonly PageChunks[],
  before: readonly ChunkRow[],
): Promise<readonly NewChange[]> {
  if (pages.length === 0) return [];
  const plan = planReplacement(before, pages);
  if (plan.removed.length + plan.added.length > 0) await queueTexts(tx, parts, plan.added.map(toAddedText));
  await tx.each(
    deleteChunk,
    plan.removed.map((row) => [row.pk]),
  );
  await tx.each(updateChunk, plan.moved);
  await tx.each(insertChunk, plan.added.map(insertRow));
  await tx.each(
    deleteNames,
    Array.from(plan.renamed.keys(), (pk) => [pk]),
  );
  await tx.each(insertNames, [...plan.added, ...plan.renamed.values()].flatMap(nameRows));
  await dropUnusedTexts(
    tx,
    parts,
    plan.removed.map((row) => hex(row.content_hash)),
  );
  await queueForIndex(tx, plan.touched);
  return changesOf(plan);
}

async function queueForIndex(tx: Executor, pages: ReadonlySet<PageChunks>): Promise<void> {
  const rows = Array.from(pages, ({ version, key }) => [version, key] as const);
  await tx.each(
    queuePage,
    rows.toSorted((a, b) => Buffer.compare(a[1], b[1])),
  );
}

function changesOf({ touched, parts, removedFrom }: Plan): readonly NewChange[] {
  return Array.from(touched, (page) => {
    const { isRetained = false, added = [] } = parts.get(page) ?? {};
    const removed = removedFrom.size === 0 ? [] : (removedFrom.get(nameOf(page)) ?? []);
    return {
      version: page.version,
      source: page.source,
      key: page.key,
      url: page.url,
      hadChunks: isRetained || removed.length > 0,
      digest: page.chunks.length === 0 ? null : page.digest,
      added: packIds(added),
      removed: Buffer.concat(removed.map((row) => row.chunk_id)),
    };
  });
}

function planReplacement(before: readonly ChunkRow[], pages: readonly PageChunks[]): Plan {
  const remaining = new Map(before.map((row) => [versionedKey(row.version_id, hex(row.chunk_id)), row]));
  const plan: Additions = { moved: [], touched: new Set(), added: [], renamed: new Map(), parts: new Map() };
  for (const page of pages) planPage(plan, page, remaining);
  const removed = [...remaining.values()];
  const removedFrom = Map.groupBy(removed, (row) => versionedKey(row.version_id, hex(row.url_key)));
  if (removed.length > 0) for (const page of pages) if (removedFrom.has(nameOf(page))) plan.touched.add(page);
  return { ...plan, removed, removedFrom };
}

type Additions = Pick<Plan, 'moved' | 'touched' | 'added' | 'renamed' | 'parts'>;

/** Removes the chunks left in `remaining`. */
function planPage(plan: Additions, page: PageChunks, remaining: Map<string, ChunkRow>): void {
  const added: string[] = [];
  page.chunks.forEach((chunk, ordinal) => {
    const id = versionedKey(page.version, chunk.id);
    const row = remaining.get(id);
    remaining.delete(id);
    if (row === undefined) {
      plan.touched.add(page);
      plan.added.push({ page, ordinal, chunk });
      added.push(chunk.id);
    } else planExisting(plan, row, { page, ordinal, chunk });
  });
  plan.parts.set(page, { isRetained: added.length < page.chunks.length, added });
}

function planExisting(plan: Additions, row: ChunkRow, target: PlannedChunk): void {
  const columns = mutableColumnsOf(target.chunk, target.ordinal);
  const hasMoved = MUTABLE_COLUMNS.some((name) => row[name] !== columns[name]);
  const wordVector = target.chunk.wordVector ?? null;
  if (hasMoved || !isSameVector(row.word_vector, wordVector))
    plan.moved.push([row.pk, wordVector, ...MUTABLE_COLUMNS.map((name) => columns[name])]);
  if (row.symbol !== columns.symbol) plan.renamed.set(row.pk, target);
  if (plan.touched.has(target.page)) return;
  if (hasMoved || row.page_title !== target.page.title || (target.ordinal === 0 && haveKindsChanged(row, target.page)))
    plan.touched.add(target.page);
}

function nameRows({ page, chunk: { id, symbol } }: PlannedChunk): Value[][] {
  return symbol === null ? [] : symbolParts(symbol).map((name) => [page.version, hashBytes(id), name]);
}

function isSameVector(left: Uint8Array | null, right: Uint8Array | null): boolean {
  return left === null || right === null ? left === right : Buffer.compare(left, right) === 0;
}

function haveKindsChanged({ metadata, media_type }: ChunkRow, { kinds }: PageChunks): boolean {
  return kindsOf(jsonObject(metadata), media_type) !== kinds;
}

function mutableColumnsOf(chunk: Chunk, ordinal: number): MutableColumns {
  return {
    ordinal,
    passage_kind: chunk.passageKind,
    headings: jsonText(chunk.headings),
    anchor: chunk.anchor,
    symbol: chunk.symbol,
    json_path: chunk.jsonPath,
    first_line: chunk.lines.first,
    last_line: chunk.lines.last,
    tokens: chunk.tokens,
  };
}

/** Two versions may contain the same chunk or page if a site was added twice. */
function versionedKey(version: number, chunkId: string): string {
  return `${version} ${chunkId}`;
}

function nameOf(page: PageChunks): string {
  return versionedKey(page.version, hex(page.key));
}

function insertRow({ page, ordinal, chunk }: PlannedChunk): Value[] {
  const columns = mutableColumnsOf(chunk, ordinal);
  return [
    page.version,
    page.key,
    hashBytes(chunk.id),
    hashBytes(chunk.contentHash),
    chunk.text,
    chunk.wordVector ?? null,
    ...MUTABLE_COLUMNS.map((name) => columns[name]),
  ];
}

function toAddedText({ page, chunk }: PlannedChunk): AddedText {
  return { version: page.version, contentHash: chunk.contentHash };
}
