// Reads what a search cited: a page, one of its sections, or a chunk with its neighbours' place.

import { pinakesError } from '../core/model/errors.ts';
import { parsePageUrl, type PageUrl } from '../core/model/page-url.ts';
import { withoutLinkTargets } from '../core/rank/strip-link-targets.ts';
import { pagePart, sectionLines } from '../core/answer/page-excerpt.ts';
import { chunkUrl } from '../core/answer/answer-page.ts';
import type { Store, StoredChunk, StoredDocument } from '../store/port.ts';
import { scopedVersions, type ScopedVersion } from './search-sources.ts';

export interface ReadQuestion {
  /** A page's URL, with a fragment for one section; or the id of a chunk, whole or its first 12 digits or more. */
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
  readonly url: string;
  readonly title: string;
  readonly checkedAt: string;
  readonly lines: { readonly first: number; readonly last: number };
  readonly text: string;
  readonly tokens: number;
  readonly next: number | null;
}

export type ReadDocs = (question: ReadQuestion) => Promise<ReadAnswer>;

const CHUNK_ID = /^[0-9a-f]{12,64}$/;

export function createReadDocs(store: Store): ReadDocs {
  return async (asked) => {
    const scoped = await scopedVersions(store, asked);
    if (CHUNK_ID.test(asked.target)) {
      for (const from of scoped) {
        const chunk = await store.pages.chunk(from.version.id, asked.target);
        if (chunk !== null) return ofChunk(from, chunk, asked);
      }
      throw pinakesError('page.unknown', { page: asked.target });
    }
    const { url, fragment } = addressOf(asked.target);
    for (const from of scoped) {
      const document = url === null ? null : await store.pages.get(from.version.id, url);
      if (document !== null) return ofPage(from, document, { ...asked, section: asked.section ?? fragment });
    }
    throw pinakesError('page.unknown', { page: asked.target });
  };
}

/** A file of a folder may be named by its path alone. */
function addressOf(target: string): { readonly url: PageUrl | null; readonly fragment: string | undefined } {
  const [address = '', fragment] = target.split('#', 2);
  const whole = /^[a-z]+:\/\//.test(address) ? address : `file:///${address.replace(/^\/+/, '')}`;
  return { url: parsePageUrl(whole), fragment: fragment === '' ? undefined : fragment };
}

function ofChunk({ source, version }: ScopedVersion, chunk: StoredChunk, { budget }: ReadQuestion): ReadAnswer {
  const { page, lines } = chunk;
  const part = pagePart(withoutLinkTargets(chunk.text), { first: 1, last: Number.MAX_SAFE_INTEGER }, budget);
  return {
    source: source.name,
    version: version.label,
    url: chunkUrl(page.url, chunk.anchor),
    title: page.title,
    checkedAt: page.checkedAt.toISOString(),
    lines,
    text: part.text,
    tokens: part.tokens,
    next: null,
  };
}

function ofPage(
  { source, version }: ScopedVersion,
  document: StoredDocument,
  { section, fromLine, budget }: ReadQuestion,
): ReadAnswer {
  const { url, title, checkedAt, outline } = document;
  const text = withoutLinkTargets(document.text);
  const lastLine = text.split('\n').length;
  const range = section === undefined ? { first: 1, last: lastLine } : sectionLines(outline, section, lastLine);
  if (range === null) {
    const known = outline.slice(0, 20).map((entry) => entry.text);
    throw pinakesError('section.unknown', { section: section ?? '', url, known: known.join('; ') });
  }
  const part = pagePart(text, { first: Math.max(range.first, fromLine), last: range.last }, budget);
  return {
    source: source.name,
    version: version.label,
    url,
    title,
    checkedAt: checkedAt.toISOString(),
    ...part,
  };
}
