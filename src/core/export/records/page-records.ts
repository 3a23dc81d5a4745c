// Pages and chunks as flat records for other systems: a line of JSONL, or the payload of a point in a vector store. Names and meaning
// of the fields are those that loaders of documents use; a field is text, a number or a list of texts, and never null.

import { chunkPath } from '../../chunk/chunk-names.ts';
import { pageLinks } from '../../discover/markdown/page-links.ts';
import { isFileUrl } from '../../files/file-url.ts';
import { sha256Hex } from '../../model/hash.ts';
import { parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import { siteOf } from '../../url/site.ts';
import { pagePath } from '../pages/page-path.ts';

/** A page as the library knows it, from the store or from a server. */
export interface RecordedPage {
  /** The name of its source. */
  readonly source: string;
  /** Empty if it has none. */
  readonly version: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly pageKind: string | null;
  readonly contentHash: string;
  readonly text: string;
  /** Status of the response; null for a local file. */
  readonly status: number | null;
  /** Empty where equal texts must give equal records. */
  readonly changedAt: string;
}

export interface RecordedChunk {
  readonly id: string;
  readonly passageKind: string;
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly symbol: string | null;
  readonly text: string;
}

/** What the records of a page and of its chunks have in common. */
interface PageFields {
  /** Source and version in the library. */
  readonly library_source: string;
  readonly library_version: string;
  /** The URL, under both of the names that loaders use. */
  readonly source: string;
  readonly source_url: string;
  readonly source_type: 'web_crawl' | 'local_file';
  readonly title: string;
  readonly description: string;
  readonly language: string;
  readonly page_kind: string;
  /** 0 for a local file. */
  readonly status_code: number;
  /** When this text was fetched for the first time, in ISO 8601. */
  readonly crawl_timestamp: string;
  readonly modification_date: string;
  /** Links of the text to the same site, and to others. */
  readonly internal_links_count: number;
  readonly external_links_count: number;
  /** Path of a local file inside its folder; host and path of a page as a safe file name. */
  readonly file_path_relative: string;
  readonly filename: string;
  readonly tags: readonly string[];
}

/**
 * @example
 * const rowOf = ({ id, source_url, text }: PageRecord) => [id, source_url, text] as const;
 */
export interface PageRecord extends PageFields {
  /** 16 bytes of the SHA-256 of the URL, as a UUID is written. */
  readonly id: string;
  /** SHA-256 of the text. */
  readonly content_hash: string;
  /** When the page was last confirmed current. */
  readonly checked_at: string;
  readonly text: string;
}

/**
 * @example
 * const citationOf = ({ source_url, section_path }: ChunkRecord): string => `${source_url} (${section_path})`;
 */
export interface ChunkRecord extends PageFields {
  /** Id of the chunk in its source and version, written as a UUID: vector stores take no longer ids. */
  readonly id: string;
  /** As in citations. */
  readonly chunk_id: string;
  /** From 0, in the order of the page. */
  readonly chunk_index: number;
  readonly chunk_text: string;
  /** Headings down to the chunk, joined by ` > `. */
  readonly section_path: string;
  /** Level of its last heading; 0 without one. */
  readonly heading_level: number;
  /** SHA-256 of `chunk_text`. */
  readonly content_hash: string;
  readonly passage_kind: string;
  /** Fragment of the nearest heading. */
  readonly anchor: string;
  readonly symbol: string;
}

export function pageRecord(page: RecordedPage, checkedAt: string): PageRecord {
  const { url, contentHash, text } = page;
  return { id: uuidOf(url), ...pageFields(page), content_hash: contentHash, checked_at: checkedAt, text };
}

export function chunkRecords(page: RecordedPage, chunks: readonly RecordedChunk[]): ChunkRecord[] {
  const fields = pageFields(page);
  return chunks.map(({ id, passageKind, headings, anchor, symbol, text }, at) => ({
    id: uuidOf(`${page.source}\n${page.version}\n${id}`),
    chunk_id: id,
    ...fields,
    chunk_index: at,
    chunk_text: text,
    section_path: headings.join(' > '),
    heading_level: headings.length,
    content_hash: sha256Hex(text),
    passage_kind: passageKind,
    anchor: anchor ?? '',
    symbol: symbol ?? '',
  }));
}

function pageFields(page: RecordedPage): PageFields {
  const { source, version, url, title, description, language, pageKind, status, changedAt } = page;
  const links = countLinks(page);
  const path = isFileUrl(url) ? chunkPath(url as PageUrl) : pagePath(url as PageUrl, '');
  return {
    library_source: source,
    library_version: version,
    source: url,
    source_url: url,
    source_type: isFileUrl(url) ? 'local_file' : 'web_crawl',
    title,
    description: description ?? '',
    language: language ?? '',
    page_kind: pageKind ?? '',
    status_code: status ?? 0,
    crawl_timestamp: changedAt,
    modification_date: changedAt,
    internal_links_count: links.internal,
    external_links_count: links.external,
    file_path_relative: path,
    filename: path.slice(path.lastIndexOf('/') + 1),
    tags: [source, version, pageKind ?? ''].filter((tag) => tag !== ''),
  };
}

function countLinks({ text, url }: RecordedPage): { readonly internal: number; readonly external: number } {
  const site = siteOf(url as PageUrl);
  const targets = pageLinks(text, url).map((link) => parsePageUrl(link.url));
  const internal = targets.filter((target) => target !== null && siteOf(target) === site).length;
  return { internal, external: targets.length - internal };
}

/**
 * The first 16 bytes of a SHA-256, without bits for a version or variant.
 *
 * @example
 * const id = documentId('https://docs.example.dev/guide');
 */
export function uuidOf(text: string): string {
  return sha256Hex(text)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
