// Reads pages, documents and chunks.

import type { ChunkId, ChunkKind } from '../../../core/model/chunk.ts';
import type { OutlineEntry } from '../../../core/model/document.ts';
import { urlKey, type PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import {
  FOUND_BY,
  type Pages,
  type StoredBody,
  type StoredChunk,
  type StoredDocument,
  type StoredPage,
} from '../../port.ts';
import { hashBytes, hashOf, hex, jsonObject } from '../engine/codec.ts';
import { earlierTexts } from '../earlier-texts.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine } from '../engine/engine.ts';
import { createFolds } from './dedupe-pages.ts';
import { linkingPages } from '../page-links.ts';
import { askAnew, remakePages } from './reprocess-pages.ts';

export interface PageRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly page_hash: Uint8Array;
  readonly media_type: string;
  readonly n_chunks: number;
  readonly changed_at: number;
  readonly checked_at: number;
}

interface DocumentRow extends PageRow {
  readonly facts: string;
  readonly made_by: string;
  readonly found_by: number;
  readonly text: string;
  readonly outline: string;
  readonly arrival: string;
  readonly encoding: StoredBody['encoding'] | null;
  readonly bytes: Uint8Array | null;
}

export interface ChunkRow {
  readonly pk: number;
  readonly ordinal: number;
  readonly chunk_id: Uint8Array;
  readonly content_hash: Uint8Array;
  readonly kind: ChunkKind;
  readonly headings: string;
  readonly anchor: string | null;
  readonly symbol: string | null;
  readonly address: string | null;
  readonly text: string;
  readonly first_line: number;
  readonly last_line: number;
  readonly tokens: number;
}

export const PAGE_COLUMNS = `pages.version_id, pages.url_key, pages.url, pages.title, pages.description, pages.language, pages.content_hash as page_hash, pages.media_type, pages.n_chunks, pages.changed_at, pages.checked_at`;

export const CHUNK_COLUMNS = `chunks.pk, chunks.ordinal, chunks.chunk_id, chunks.content_hash, chunks.kind, chunks.headings, chunks.anchor, chunks.symbol, chunks.address, chunks.text, chunks.first_line, chunks.last_line, chunks.tokens`;

/** A chunk with its page, for whoever adds a `where`. */
export const CHUNKS_WITH_PAGES = `select ${PAGE_COLUMNS}, ${CHUNK_COLUMNS} from chunks join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key`;

/** An alias is read as the page that stands for it. */
const one = `select ${PAGE_COLUMNS}, pages.facts, pages.made_by, frontier.found_by, documents.text, documents.outline, documents.arrival, bodies.encoding, bodies.bytes from pages
  join frontier on frontier.version_id = pages.version_id and frontier.url_key = pages.url_key
  join documents on documents.version_id = pages.version_id and documents.url_key = pages.url_key
  left join bodies on bodies.version_id = pages.version_id and bodies.url_key = pages.url_key
  where pages.version_id = $1 and pages.url_key = (select coalesce(asked.alias_key, asked.url_key) from pages asked where asked.version_id = $1 and asked.url_key = $2)`;

const many = `select ${PAGE_COLUMNS}, pages.facts from pages where version_id = $1 and url_key > $2 and alias_key is null order by url_key limit $3`;

/** What was folded into the page, and redirects that lead to it, in several steps too. */
const aliases = `with recursive led (url_key, url, steps) as (
    select url_key, url, 1 from frontier where version_id = $1 and target_key = $2 and state = 3 and outcome = 6
    union
    select f.url_key, f.url, l.steps + 1 from led l
      join frontier f on f.version_id = $1 and f.target_key = l.url_key and f.state = 3 and f.outcome = 6 where l.steps < 12
  )
  select url from led union select url from pages where version_id = $1 and alias_key = $2 order by url`;
const makers = `select distinct made_by from pages where version_id = $1 and alias_key is null order by made_by`;
const madeSo = `select url, url_key from pages where version_id = $1 and made_by = $2 and alias_key is null and url_key > $3 order by url_key limit $4`;

const chunks = `${CHUNKS_WITH_PAGES} where chunks.version_id = $1 and chunks.url_key = $2 order by chunks.ordinal`;

const chunkBetween = `${CHUNKS_WITH_PAGES} where chunks.version_id = $1 and chunks.chunk_id >= $2 and chunks.chunk_id <= $3 limit 2`;

const someTitles = batch(
  { version_id: 'int' },
  `select url, title from pages, {rows} r where pages.version_id = r.version_id and pages.alias_key is null limit $1`,
  ['int'],
);

export function createPages(engine: Engine, parts: EngineParts): Pages {
  return {
    ...createFolds(engine, parts),
    earlier: (version, url) => earlierTexts(engine, version, url),
    linking: (version, url, limit) => linkingPages(engine, version, url, limit),
    remake: (lease, pages) => remakePages(engine, parts, lease, pages),
    askAnew: (lease, urls) => askAnew(engine, lease, urls),
    async get(version, url) {
      const [row] = await engine.reader.all<DocumentRow>(one, [version, hashBytes(urlKey(url))]);
      return row === undefined ? null : documentOf(row);
    },
    async list(version, after, limit) {
      const rows = await engine.reader.all<PageRow & { facts: string }>(many, [version, hashBytes(after ?? ''), limit]);
      const last = rows.at(-1);
      const pages = rows.map((row) => ({ ...pageOf(row), facts: jsonObject(row.facts) }));
      return { pages, after: last === undefined || rows.length < limit ? null : hex(last.url_key) };
    },
    async chunk(version, idStart) {
      const even = idStart.length - (idStart.length % 2);
      const bounds = ['0', 'f'].map((digit) => hashBytes(idStart.slice(0, even).padEnd(64, digit)));
      const rows = await engine.reader.all<PageRow & ChunkRow>(chunkBetween, [version, ...bounds]);
      const [row] = rows;
      return row === undefined || rows.length > 1 ? null : chunkOf(row);
    },
    async titles(versions, limit) {
      const rows = await engine.reader.each<{ url: string; title: string }>(
        someTitles,
        versions.map((version) => [version]),
        [limit],
      );
      return rows.map(({ url, title }) => ({ url: url as PageUrl, title }));
    },
    async aliasesOf(version, url) {
      const rows = await engine.reader.all<{ url: PageUrl }>(aliases, [version, hashBytes(urlKey(url))]);
      return rows.map((row) => row.url);
    },
    async makers(version) {
      return (await engine.reader.all<{ made_by: string }>(makers, [version])).map((row) => row.made_by);
    },
    async madeBy(version, maker, after, limit) {
      const values = [version, maker, hashBytes(after ?? ''), limit];
      const rows = await engine.reader.all<{ url: PageUrl; url_key: Uint8Array }>(madeSo, values);
      const last = rows.at(-1);
      return {
        urls: rows.map((row) => row.url),
        after: last === undefined || rows.length < limit ? null : hex(last.url_key),
      };
    },
    async chunksOf(version, url) {
      return (await engine.reader.all<PageRow & ChunkRow>(chunks, [version, hashBytes(urlKey(url))])).map(chunkOf);
    },
  };
}

export function pageOf(row: PageRow): StoredPage {
  return {
    version: row.version_id as VersionId,
    url: row.url as PageUrl,
    title: row.title,
    description: row.description,
    language: row.language,
    contentHash: hashOf(row.page_hash),
    mediaType: row.media_type,
    chunks: row.n_chunks,
    changedAt: new Date(row.changed_at),
    checkedAt: new Date(row.checked_at),
  };
}

function documentOf(row: DocumentRow): StoredDocument {
  const body = row.encoding === null || row.bytes === null ? null : { encoding: row.encoding, bytes: row.bytes };
  return {
    ...pageOf(row),
    text: row.text,
    outline: JSON.parse(row.outline) as OutlineEntry[],
    facts: jsonObject(row.facts),
    arrival: jsonObject(row.arrival),
    madeBy: row.made_by,
    foundBy: FOUND_BY[row.found_by] ?? 'link',
    body,
  };
}

export function chunkOf(row: PageRow & ChunkRow): StoredChunk {
  return {
    id: hashOf(row.chunk_id) as ChunkId,
    contentHash: hashOf(row.content_hash),
    kind: row.kind,
    headings: JSON.parse(row.headings) as string[],
    anchor: row.anchor,
    symbol: row.symbol,
    address: row.address,
    text: row.text,
    lines: { first: row.first_line, last: row.last_line },
    tokens: row.tokens,
    page: pageOf(row),
    ordinal: row.ordinal,
  };
}
