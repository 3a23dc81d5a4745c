// Reads what a search result cites: a page, one of its sections, or a chunk.

import { chunkUrl } from '../core/chunk/chunk-names.ts';
import { pageExcerpt, sectionLines } from '../core/answer/page-excerpt.ts';
import { parsePageReference } from '../core/files/file-url.ts';
import { pinakesError } from '../core/model/errors.ts';
import { stripLinkTargets } from '../core/rank/strip-link-targets.ts';
import type { Store, StoredChunk, StoredDocument } from '../store/port.ts';
import { selectVersions, type SelectedVersion } from './search-sources.ts';

export interface ReadRequest {
  /** A page URL, or the path of a file inside its folder, with a fragment for one section; or a chunk id, or at least its first 12 digits. */
  readonly target: string;
  readonly source?: string | undefined;
  readonly version?: string | undefined;
  readonly section?: string | undefined;
  readonly fromLine: number;
  readonly budget: number;
}

export interface ReadAnswer {
  readonly source: string;
  readonly version: string;
  /** What the site declares for the documented product; null if it declares none. */
  readonly declaredVersion: string | null;
  readonly url: string;
  readonly title: string;
  readonly checkedAt: string;
  readonly lines: { readonly first: number; readonly last: number };
  readonly text: string;
  readonly tokens: number;
  readonly next: number | null;
}

export type ReadDocs = (request: ReadRequest) => Promise<ReadAnswer>;

const CHUNK_ID = /^[0-9a-f]{12,64}$/;

export function createReadDocs(store: Store): ReadDocs {
  return async (request) => {
    const selected = await selectVersions(store, request);
    if (CHUNK_ID.test(request.target)) {
      for (const selection of selected) {
        const chunk = await store.pages.chunk(selection.version.id, request.target);
        if (chunk !== null) return readChunk(selection, chunk, request);
      }
      throw pinakesError('page.unknown', { page: request.target });
    }
    for (const selection of selected) {
      for (const { url, fragment } of parsePageReference(request.target)) {
        const document = await store.pages.get(selection.version.id, url);
        if (document !== null)
          return readPage(selection, document, { ...request, section: request.section ?? fragment });
      }
    }
    throw pinakesError('page.unknown', { page: request.target });
  };
}

function readChunk({ source, version }: SelectedVersion, chunk: StoredChunk, { budget }: ReadRequest): ReadAnswer {
  const { page, lines } = chunk;
  const excerpt = pageExcerpt(stripLinkTargets(chunk.text), { first: 1, last: Number.MAX_SAFE_INTEGER }, budget);
  return {
    source: source.name,
    version: version.label,
    declaredVersion: version.declaredVersion,
    url: chunkUrl(page.url, chunk.anchor),
    title: page.title,
    checkedAt: page.checkedAt.toISOString(),
    lines,
    text: excerpt.text,
    tokens: excerpt.tokens,
    next: null,
  };
}

function readPage(
  { source, version }: SelectedVersion,
  document: StoredDocument,
  { section, fromLine, budget }: ReadRequest,
): ReadAnswer {
  const { url, title, checkedAt, outline } = document;
  const text = stripLinkTargets(document.text);
  const lastLine = text.split('\n').length;
  const range = section === undefined ? { first: 1, last: lastLine } : sectionLines(outline, section, lastLine);
  if (range === null) {
    const known = outline.slice(0, 20).map((entry) => entry.text);
    throw pinakesError('section.unknown', { section: section ?? '', url, known: known.join('; ') });
  }
  const excerpt = pageExcerpt(text, { first: Math.max(range.first, fromLine), last: range.last }, budget);
  return {
    source: source.name,
    version: version.label,
    declaredVersion: version.declaredVersion,
    url,
    title,
    checkedAt: checkedAt.toISOString(),
    ...excerpt,
  };
}
