// Reads pages, documents, chunks, revisions and backlinks.

import type { OutlineEntry } from '../../../core/model/document.ts';
import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import { urlKey, type PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import { DISCOVERY_KINDS } from '../../port/frontier.ts';
import type { Backlink, PageRevision, RemovedPage, Pages, StoredDocument } from '../../port/pages.ts';
import { hashBytes, hashOf, hex, jsonObject } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, perRow, type Engine, type Executor } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';
import { createDeduplication } from './dedupe-pages.ts';
import { readMostLinked, saveLinkCounts } from './link-counts.ts';
import { countLinks, forgetChanged } from './count-links.ts';
import { CHUNKS_WITH_PAGES, PAGE_COLUMNS, toChunk, toPage, type ChunkRow, type PageRow } from './page-row.ts';
import { createReadByUrl } from './read-by-url.ts';
import { markForRefetch, reprocessPages } from './reprocess-pages.ts';
import { LINK_KEY_BYTES } from './write-pages.ts';
import type { StoredBody } from '../../../platform/compress-body.ts';
import { compareText } from '../../../core/text/compare-text.ts';

interface DocumentRow extends PageRow {
  readonly metadata: string;
  readonly pipeline_version: string;
  readonly inlinks: number;
  readonly found_by: number;
  readonly text: string;
  readonly outline: string;
  readonly response_meta: string;
  readonly rendered_by: string | null;
  readonly encoding: StoredBody['encoding'] | null;
  readonly bytes: Uint8Array | null;
}

/** An alias is read as its canonical page. */
const selectDocument = `select ${PAGE_COLUMNS}, pages.metadata, pages.pipeline_version, pages.inlinks, frontier.found_by, documents.text, documents.outline, documents.response_meta, documents.rendered_by, bodies.encoding, bodies.bytes from pages
  join frontier on frontier.version_id = pages.version_id and frontier.url_key = pages.url_key
  join documents on documents.version_id = pages.version_id and documents.url_key = pages.url_key
  left join bodies on bodies.version_id = pages.version_id and bodies.url_key = pages.url_key
  where pages.version_id = $1 and pages.url_key = (select coalesce(requested.alias_key, requested.url_key) from pages requested where requested.version_id = $1 and requested.url_key = $2)`;

const selectPages = `select ${PAGE_COLUMNS}, pages.metadata from pages where version_id = $1 and url_key > $2 and alias_key is null order by url_key limit $3`;

/** Duplicates of the page, and URLs that redirect to it directly or in several steps. */
const selectAliases = `with recursive led (url_key, url, steps) as (
    select url_key, url, 1 from frontier where version_id = $1 and target_key = $2 and state = ${URL_STATE.settled} and outcome = ${OUTCOME_CODES.moved}
    union
    select f.url_key, f.url, l.steps + 1 from led l
      join frontier f on f.version_id = $1 and f.target_key = l.url_key and f.state = ${URL_STATE.settled} and f.outcome = ${OUTCOME_CODES.moved} where l.steps < 12
  )
  select url from led union select url from pages where version_id = $1 and alias_key = $2 order by url`;
/** Seeks from one to the next in their index: there are few, of many pages. */
const selectPipelineVersions = `with recursive found (pipeline_version) as (
    select min(pipeline_version) from pages where version_id = $1 and alias_key is null
    union all
    select (select min(p.pipeline_version) from pages p where p.version_id = $1 and p.alias_key is null and p.pipeline_version > found.pipeline_version) from found where found.pipeline_version is not null
  )
  select pipeline_version from found where pipeline_version is not null`;
const selectByPipelineVersion = `select url, url_key from pages where version_id = $1 and pipeline_version = $2 and alias_key is null and url_key > $3 order by url_key limit $4`;

const selectChunks = `${CHUNKS_WITH_PAGES} where chunks.version_id = $1 and chunks.url_key = $2 order by chunks.ordinal`;

const selectChunkByIdRange = `${CHUNKS_WITH_PAGES} where chunks.version_id = $1 and chunks.chunk_id >= $2 and chunks.chunk_id <= $3 limit 2`;

const selectTitles = perRow(
  batch(
    { version_id: 'int' },
    `select url, title from pages, {rows} r where pages.version_id = r.version_id and pages.alias_key is null limit $1`,
    ['int'],
  ),
);

const selectDeclaredVersions = `select declared_version from pages where version_id = $1 and alias_key is null order by url_key limit $2`;

const selectText = `select text from documents where version_id = $1 and url_key = $2`;
const selectTextLength = `select length(text) as chars from documents where version_id = $1 and url_key = $2`;

const selectRevisions = `select until_at, since_at, content_hash, pipeline_version, text from page_revisions where version_id = $1 and url_key = $2 order by until_at desc`;

const selectRemoved = `select removed_at, since_at, title, text from removed_pages where version_id = $1 and url_key = $2`;

const MAX_ALIASES = 10;

/** A link to an alias is a link to its canonical page. */
const selectKeyPrefixes = `select substr(url_key, 1, ${LINK_KEY_BYTES}) as prefix from pages where version_id = $1 and (url_key = $2 or alias_key = $2)
  union select substr(url_key, 1, ${LINK_KEY_BYTES}) from frontier where version_id = $1 and target_key = $2 and state = ${URL_STATE.settled} and outcome = ${OUTCOME_CODES.moved}
  limit ${MAX_ALIASES}`;

const selectBacklinks = `select p.url, p.title from page_links l join pages p on p.version_id = l.version_id and p.url_key = l.url_key
  where l.version_id = $1 and l.url_key <> $2 and instr(l.targets, $3) > 0 and p.alias_key is null order by p.url limit $4`;

interface RevisionRow {
  readonly until_at: number;
  readonly since_at: number;
  readonly content_hash: Uint8Array;
  readonly pipeline_version: string;
  readonly text: string | null;
}

export function createPages(engine: Engine, parts: EngineParts): Pages {
  const { reader } = engine;
  return {
    ...createDeduplication(engine, parts),
    ...createChunkReads(reader),
    ...createReadByUrl(reader, parts),
    ...createTextReads(reader),
    revisions: (version, url) => readRevisions(reader, version, url),
    removed: (version, url) => readRemoved(reader, version, url),
    backlinks: (version, url, limit) => readBacklinks(reader, version, url, limit),
    mostLinked: (version, limit) => readMostLinked(reader, version, limit),
    saveLinkCounts: (version, counts) => saveLinkCounts(engine, version, counts),
    countLinks: (lease) => countLinks(engine, lease),
    forgetChanged: (lease) => forgetChanged(engine, lease),
    reprocess: (lease, pages) => reprocessPages(engine, parts, lease, pages),
    markForRefetch: (lease, urls) => markForRefetch(engine, lease, urls),
    async get(version, url) {
      const [row] = await reader.all<DocumentRow>(selectDocument, [version, hashBytes(urlKey(url))]);
      return row === undefined ? null : toDocument(row);
    },
    async list(version, after, limit) {
      const rows = await reader.all<PageRow & { metadata: string }>(selectPages, [
        version,
        hashBytes(after ?? ''),
        limit,
      ]);
      const last = rows.at(-1);
      const pages = rows.map((row) => ({ ...toPage(row), metadata: jsonObject(row.metadata) }));
      return { pages, after: last === undefined || rows.length < limit ? null : hex(last.url_key) };
    },
    async titles(versions, limit) {
      const rows = await reader.each<{ url: string; title: string }>(
        selectTitles,
        versions.map((version) => [version]),
        [limit],
      );
      return rows.map(({ url, title }) => ({ url: url as PageUrl, title }));
    },
    declaredVersions: (version, limit) => readDeclaredVersions(reader, version, limit),
    async aliasesOf(version, url) {
      const rows = await reader.all<{ url: PageUrl }>(selectAliases, [version, hashBytes(urlKey(url))]);
      return rows.map((row) => row.url);
    },
    async pipelineVersions(version) {
      const rows = await reader.all<{ pipeline_version: string }>(selectPipelineVersions, [version]);
      return rows.map((row) => row.pipeline_version);
    },
    async byPipelineVersion(version, pipelineVersion, after, limit) {
      const values = [version, pipelineVersion, hashBytes(after ?? ''), limit];
      const rows = await reader.all<{ url: PageUrl; url_key: Uint8Array }>(selectByPipelineVersion, values);
      const last = rows.at(-1);
      return {
        urls: rows.map((row) => row.url),
        after: last === undefined || rows.length < limit ? null : hex(last.url_key),
      };
    },
  };
}

function createTextReads(reader: Executor): Pick<Pages, 'text' | 'textLength'> {
  return {
    async text(version, url) {
      const [row] = await reader.all<{ text: string }>(selectText, [version, hashBytes(urlKey(url))]);
      return row?.text ?? null;
    },
    async textLength(version, url) {
      const [row] = await reader.all<{ chars: number }>(selectTextLength, [version, hashBytes(urlKey(url))]);
      return row?.chars ?? null;
    },
  };
}

function createChunkReads(reader: Executor): Pick<Pages, 'chunk' | 'chunksOf'> {
  return {
    async chunk(version, idStart) {
      const even = idStart.length - (idStart.length % 2);
      const bounds = ['0', 'f'].map((digit) => hashBytes(idStart.slice(0, even).padEnd(64, digit)));
      const rows = await reader.all<PageRow & ChunkRow>(selectChunkByIdRange, [version, ...bounds]);
      const [row] = rows;
      return row === undefined || rows.length > 1 ? null : toChunk(row);
    },
    async chunksOf(version, url) {
      const rows = await reader.all<PageRow & ChunkRow>(selectChunks, [version, hashBytes(urlKey(url))]);
      return rows.map(toChunk);
    },
  };
}

function toDocument(row: DocumentRow): StoredDocument {
  const body = row.encoding === null || row.bytes === null ? null : { encoding: row.encoding, bytes: row.bytes };
  return {
    ...toPage(row),
    text: row.text,
    outline: JSON.parse(row.outline) as OutlineEntry[],
    metadata: jsonObject(row.metadata),
    responseMeta: jsonObject(row.response_meta),
    renderedBy: row.rendered_by,
    pipelineVersion: row.pipeline_version,
    foundBy: DISCOVERY_KINDS[row.found_by] ?? 'link',
    body,
    inlinks: row.inlinks,
  };
}

async function readDeclaredVersions(
  reader: Executor,
  version: VersionId,
  limit: number,
): Promise<ReadonlyArray<string | null>> {
  const rows = await reader.all<{ declared_version: string | null }>(selectDeclaredVersions, [version, limit]);
  return rows.map((row) => row.declared_version);
}

async function readRevisions(reader: Executor, version: VersionId, url: PageUrl): Promise<readonly PageRevision[]> {
  const rows = await reader.all<RevisionRow>(selectRevisions, [version, hashBytes(urlKey(url))]);
  return rows.map((row) => ({
    since: new Date(row.since_at),
    until: new Date(row.until_at),
    contentHash: hashOf(row.content_hash),
    pipelineVersion: row.pipeline_version,
    text: row.text,
  }));
}

interface RemovedRow {
  readonly removed_at: number;
  readonly since_at: number;
  readonly title: string;
  readonly text: string | null;
}

async function readRemoved(reader: Executor, version: VersionId, url: PageUrl): Promise<RemovedPage | null> {
  const [row] = await reader.all<RemovedRow>(selectRemoved, [version, hashBytes(urlKey(url))]);
  if (row === undefined) return null;
  const { removed_at, since_at, title, text } = row;
  return { removedAt: new Date(removed_at), since: new Date(since_at), title, text };
}

async function readBacklinks(
  reader: Executor,
  version: VersionId,
  url: PageUrl,
  limit: number,
): Promise<readonly Backlink[]> {
  const key = hashBytes(urlKey(url));
  const found = new Map<PageUrl, Backlink>();
  // One scan for each prefix: with all of them in one statement, SQLite read the prefixes again for every row.
  for (const { prefix } of await reader.all<{ prefix: Uint8Array }>(selectKeyPrefixes, [version, key])) {
    const pages = await reader.all<Backlink>(selectBacklinks, [version, key, prefix, limit]);
    for (const page of pages) found.set(page.url, page);
  }
  return [...found.values()].sort((a, b) => compareText(a.url, b.url)).slice(0, limit);
}
