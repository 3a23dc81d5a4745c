// Reads what a search result cites: a page, one of its sections, or a chunk.

import { chunkUrl } from '../core/chunk/chunk-names.ts';
import { elideMiddle, MAX_HEADING_CHARS } from '../core/answer/cited-markdown.ts';
import { pageExcerpt, sectionLines } from '../core/answer/page-excerpt.ts';
import { cleanLine } from '../core/extract/decode/clean-text.ts';
import { displayUrl, parsePageReference } from '../core/files/file-url.ts';
import { pinakesError } from '../core/model/errors.ts';
import { importedFrom } from '../core/model/provenance.ts';
import type { VersionId } from '../core/model/run.ts';
import { stripLinkTargets } from '../core/rank/strip-link-targets.ts';
import type { Store } from '../store/port.ts';
import type { StoredChunk, StoredDocument } from '../store/port/pages.ts';
import { selectVersions, type SelectedVersion } from './search-sources.ts';

export interface ReadRequest {
  /** A page URL, or the path of a file inside its folder, with a fragment for one section; or a chunk id, or at least its first 12 digits. */
  readonly target: string;
  readonly source?: string | readonly string[] | undefined;
  readonly version?: string | undefined;
  readonly section?: string | undefined;
  readonly fromLine: number;
  readonly budget: number;
}

export interface ReadAnswer {
  readonly source: string;
  readonly version: string;
  /** Version that the site declares for the documented product; null if none. */
  readonly declaredVersion: string | null;
  readonly url: string;
  readonly title: string;
  readonly checkedAt: string;
  readonly isImported?: true | undefined;
  readonly lines: { readonly first: number; readonly last: number };
  readonly text: string;
  readonly tokens: number;
  readonly nextLine: number | null;
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
    const found = await findPages(store, selected, request.target);
    const [page] = found;
    if (page === undefined) throw pinakesError('page.unknown', { page: request.target });
    if (found.length > 1) {
      const known = found.map(({ selection, document }) => `${displayUrl(document.url)} (${selection.source.name})`);
      throw pinakesError('page.ambiguous', { page: request.target, known: known.join('; ') });
    }
    const section = request.section ?? page.fragment;
    return readPage(page.selection, page.document, { ...request, section });
  };
}

interface FoundPage {
  readonly selection: SelectedVersion;
  readonly document: StoredDocument;
  readonly fragment: string | undefined;
}

const MAX_MATCHES = 5;
const HAS_SCHEME = /^[a-z]+:\/\//i;

/** A URL is that of one page, even if several sources have it; a path may be in several of them. */
async function findPages(
  store: Store,
  selected: readonly SelectedVersion[],
  target: string,
): Promise<readonly FoundPage[]> {
  const found: FoundPage[] = [];
  const isUrl = HAS_SCHEME.test(target);
  const versions = isUrl ? await versionsWithPage(store, target) : null;
  for (const selection of selected) {
    if (versions !== null && !versions.has(selection.version.id)) continue;
    const page = await findPage(store, selection, target);
    // Several sources may have the same page.
    if (page !== null && !found.some(({ document }) => document.url === page.document.url)) found.push(page);
    if (found.length === (isUrl ? 1 : MAX_MATCHES)) break;
  }
  return found;
}

/** One read for all versions: one lookup per version takes as long as there are sources. */
async function versionsWithPage(store: Store, target: string): Promise<ReadonlySet<VersionId>> {
  const references = parsePageReference(target, target);
  const versions = await Promise.all(references.map(({ url }) => store.frontier.versionsOf(url)));
  return new Set(versions.flat());
}

async function findPage(store: Store, selection: SelectedVersion, target: string): Promise<FoundPage | null> {
  for (const { url, fragment } of parsePageReference(target, selection.source.startUrl)) {
    const document = await store.pages.get(selection.version.id, url);
    if (document !== null) return { selection, document, fragment };
  }
  return null;
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
    ...importedFrom(source.kind, page.url),
    lines,
    text: excerpt.text,
    tokens: excerpt.tokens,
    nextLine: null,
  };
}

const MAX_KNOWN_SECTIONS = 20;

/** A page wrote it, and the error is read outside any fence. */
function quotedHeading(heading: string): string {
  return JSON.stringify(elideMiddle(cleanLine(heading), MAX_HEADING_CHARS));
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
    const known = outline.slice(0, MAX_KNOWN_SECTIONS).map((entry) => quotedHeading(entry.text));
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
    ...importedFrom(source.kind, url),
    ...excerpt,
  };
}
