// Explains why an answer lacks the passage that it should have: the first thing that went wrong.

import { stripLinkTargets } from '../../../src/core/rank/strip-link-targets.ts';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import type { Passage } from '../../../src/core/answer/answer-passages.ts';
import type { RetrievalResult } from '../../../src/core/rank/lexical-retrieval.ts';
import type { Store } from '../../../src/store/port.ts';
import { pageKey, type Question } from '../read-questions.ts';
import { lettersOf } from './measures.ts';

/** In pipeline order: a passage that got further is the smaller loss. */
export const lossKinds = [
  'page is not in the library',
  'extraction dropped the quote',
  'page is not among the candidates',
  'page ranks below ten',
  'page ranks below the candidate pages',
  'page is a candidate, but none of it is shown',
  'other passages of the page are shown',
  'chunking split the quote',
  'quote is truncated',
] as const;
export type LossKind = (typeof lossKinds)[number];

export interface Loss {
  readonly kind: LossKind;
  /** Rank of the page with the quote, from 1; null if it is not a candidate. */
  readonly rank: number | null;
  readonly shown: string;
}

const CANDIDATE_PAGES = 8;
const FIRST = 10;

interface ChunkText {
  readonly headings: string;
  /** As an answer shows it. */
  readonly text: string;
}

export type PageFinder = (site: string, path: string) => Promise<readonly ChunkText[] | null>;

/** Texts of the chunks of a page, by its path in any of its spellings. */
export async function createPageFinder(store: Store): Promise<PageFinder> {
  const locations = new Map<string, { readonly version: VersionId; readonly url: PageUrl }>();
  for (const source of await store.sources.list()) {
    for (const { id: version } of source.versions) {
      for (let after: string | null = null, more = true; more; more = after !== null) {
        const batch: Awaited<ReturnType<Store['pages']['list']>> = await store.pages.list(version, after, 1000);
        for (const { url } of batch.pages) locations.set(`${source.name} ${pageKey(url)}`, { version, url });
        after = batch.after;
      }
    }
  }
  return async (site, path) => {
    const location = locations.get(`${site} ${pageKey(path)}`);
    if (location === undefined) return null;
    const chunks = await store.pages.chunksOf(location.version, location.url);
    return chunks.map(({ headings, text }) => ({ headings: headings.join(' '), text: stripLinkTargets(text) }));
  };
}

/** The smallest loss among a question's quotes. */
export async function lossOf(
  question: Question,
  results: RetrievalResult,
  shown: readonly Passage[],
  find: PageFinder,
): Promise<Loss> {
  const losses: Loss[] = [];
  for (const { url_path: path, quote } of question.evidence) {
    const aliases = question.gold.find((gold) => pageKey(gold.url_path) === pageKey(path))?.aliases ?? [];
    const paths = [path, ...aliases];
    const keys = new Set(paths.map(pageKey));
    const texts = (await Promise.all(paths.map((one) => find(question.site, one)))).find((one) => one !== null);
    const at = results.pages.findIndex(
      ({ candidate }) => candidate.source === question.site && keys.has(pageKey(candidate.url)),
    );
    const passages = shown.filter(({ source, url }) => source === question.site && keys.has(pageKey(url)));
    losses.push({
      kind: kindOf({ texts: texts ?? null, quote: lettersOf(quote), at, passages }),
      rank: at === -1 ? null : at + 1,
      shown: passages.map(({ lines }) => `${lines.first}–${lines.last}`).join(),
    });
  }
  losses.sort((left, right) => lossKinds.indexOf(right.kind) - lossKinds.indexOf(left.kind));
  return losses[0] ?? { kind: 'page is not in the library', rank: null, shown: '' };
}

interface LossEvidence {
  readonly texts: readonly ChunkText[] | null;
  readonly quote: string;
  readonly at: number;
  /** Passages of the page with the quote. */
  readonly passages: readonly Passage[];
}

function kindOf({ texts, quote, at, passages }: LossEvidence): LossKind {
  if (texts === null) return 'page is not in the library';
  const isWhole = texts.some(({ headings, text }) => lettersOf(`${headings} ${text}`).includes(quote));
  if (!isWhole && !lettersOf(texts.map(({ text }) => text).join(' ')).includes(quote))
    return 'extraction dropped the quote';
  if (at === -1) return 'page is not among the candidates';
  if (at >= FIRST) return 'page ranks below ten';
  if (at >= CANDIDATE_PAGES) return 'page ranks below the candidate pages';
  if (passages.length === 0) return 'page is a candidate, but none of it is shown';
  const half = quote.slice(0, Math.ceil(quote.length / 2));
  const rest = quote.slice(half.length);
  const seen = lettersOf(passages.map(({ text }) => text).join(' '));
  if (!seen.includes(half) && !seen.includes(rest)) return 'other passages of the page are shown';
  return isWhole ? 'quote is truncated' : 'chunking split the quote';
}
