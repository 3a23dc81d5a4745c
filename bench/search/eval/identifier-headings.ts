// Headings and definitions that consist of one identifier (`USE_TZ`, `onSend`, `in_bulk()`), and how an answer about such an
// identifier cites the section below it.

import { createRandom } from '../../../test/support/random.ts';
import type { Passage } from '../../../src/core/answer/answer-passages.ts';
import { estimateTokens } from '../../../src/core/model/chunk.ts';
import type { Search } from '../../../src/search/search.ts';
import { resultText } from '../../../src/serve/mcp/result-text.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import { pageKey } from '../read-questions.ts';
import { mean, percentile } from './measures.ts';

export interface IdentifierHeading {
  readonly source: string;
  readonly identifier: string;
  /** The sections with this heading. */
  readonly sections: ReadonlyArray<{ readonly page: string; readonly anchor: string | null }>;
}

const IDENTIFIER = /^[$@\w][\w$.:-]*(?:\(\))?$/;
const LOOKS_LIKE_CODE = /[a-z][A-Z]|[A-Za-z]_|_[A-Za-z]|[A-Za-z]\.\w|::|\(\)$|^[@$]/;
const MAX_CHARS = 60;
/** An identifier that heads more sections of its source does not ask for a particular one. */
const MAX_SECTIONS = 3;
const PAGES_PER_READ = 200;

/** Draws `count` headings from each source, the same ones for the same seed and headings. */
export async function drawIdentifierHeadings(
  store: Store,
  sources: readonly Source[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<IdentifierHeading[]> {
  const drawn: IdentifierHeading[] = [];
  for (const source of sources) {
    const headings = await identifierHeadingsOf(store, source);
    const random = createRandom(seed);
    const shuffled = headings.map((heading) => ({ heading, key: random() })).sort((a, b) => a.key - b.key);
    drawn.push(...shuffled.slice(0, count).map(({ heading }) => heading));
  }
  return drawn;
}

async function identifierHeadingsOf(store: Store, source: Source): Promise<IdentifierHeading[]> {
  const sections = new Map<string, Array<IdentifierHeading['sections'][number]>>();
  for (const { id } of source.versions) {
    for (let after: string | null = null; ;) {
      const pages = await store.pages.outlines(id, { prefix: '', after, limit: PAGES_PER_READ });
      for (const { url, title, outline } of pages) {
        for (const { text, anchor } of outline) {
          if (text === title || !isIdentifier(text)) continue;
          sections.set(text, [...(sections.get(text) ?? []), { page: pageKey(url), anchor }]);
        }
      }
      after = pages.at(-1)?.url ?? null;
      if (pages.length < PAGES_PER_READ) break;
    }
  }
  const unambiguous = [...sections].filter(([, list]) => list.length <= MAX_SECTIONS);
  return unambiguous
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([identifier, list]) => ({ source: source.name, identifier, sections: list }));
}

function isIdentifier(heading: string): boolean {
  return heading.length <= MAX_CHARS && IDENTIFIER.test(heading) && LOOKS_LIKE_CODE.test(heading);
}

export interface CitedIdentifier {
  /** Whether the first passage is on a page with the heading. */
  readonly isPageFirst: boolean;
  /** Whether any passage is. */
  readonly isPageFound: boolean;
  /** Whether the first passage on such a page is cited at the heading, or at its anchor. */
  readonly isCited: boolean;
  readonly firstTokens: number;
  /** Tokens of the text before the section; null if no passage is cited at the heading. */
  readonly tokensBefore: number | null;
  readonly tokens: number;
}

export async function searchIdentifier(
  search: Search,
  { identifier, sections }: IdentifierHeading,
  request: { readonly query: string; readonly source: string | undefined; readonly budget: number },
): Promise<CitedIdentifier> {
  const answer = await search({ ...request, limit: 8, offset: 0, explain: false });
  const { passages } = answer;
  const isOnPage = ({ url }: Passage): boolean => sections.some(({ page }) => page === pageKey(url));
  const isAtHeading = (passage: Passage): boolean => {
    const [, anchor = null] = passage.url.split('#');
    const isAnchor =
      anchor !== null && sections.some((one) => one.page === pageKey(passage.url) && one.anchor === anchor);
    return isOnPage(passage) && (isAnchor || passage.headings.at(-1) === identifier);
  };
  const text = resultText('search_docs', answer);
  const cited = passages.find(isAtHeading);
  const onPage = passages.find(isOnPage);
  return {
    isPageFirst: passages[0] !== undefined && isOnPage(passages[0]),
    isPageFound: onPage !== undefined,
    isCited: onPage !== undefined && isAtHeading(onPage),
    firstTokens: estimateTokens(passages[0]?.text ?? ''),
    tokensBefore: cited === undefined ? null : estimateTokens(text.slice(0, text.indexOf(firstLineOf(cited.text)))),
    tokens: estimateTokens(text),
  };
}

function firstLineOf(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('…')) ?? '';
}

export function identifierMetrics(results: readonly CitedIdentifier[]): Record<string, number> {
  const count = (has: (one: CitedIdentifier) => boolean): number => results.filter(has).length;
  const found = results.filter(({ isPageFound }) => isPageFound);
  return {
    asked: results.length,
    pageFirst: count(({ isPageFirst }) => isPageFirst),
    pageFound: found.length,
    cited: count(({ isCited }) => isCited),
    citedShare: Math.round(1000 * mean(found.map(({ isCited }) => Number(isCited)))) / 1000,
    firstTokensP50: percentile(
      results.map(({ firstTokens }) => firstTokens),
      0.5,
    ),
    tokensBeforeP50: percentile(
      results.flatMap(({ tokensBefore }) => (tokensBefore === null ? [] : [tokensBefore])),
      0.5,
    ),
    tokensP50: percentile(
      results.map(({ tokens }) => tokens),
      0.5,
    ),
  };
}
