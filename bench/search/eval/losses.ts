// Why an answer lacks the passage that it should have: the first thing that went wrong on the way to it.

import { withoutLinkTargets } from '../../../src/core/rank/strip-link-targets.ts';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import type { AnswerPage } from '../../../src/core/answer/answer-page.ts';
import type { Findings } from '../../../src/search/lexical-retrieval.ts';
import type { Store } from '../../../src/store/port.ts';
import { pageKey, type Question } from '../read-questions.ts';
import { lettersOf } from './measures.ts';

/** In the order of the way: a passage that got further is the lesser loss. */
export const lossKinds = [
  'page is not in the library',
  'extraction left the quote out',
  'page is not among the candidates',
  'page stands below the ten first',
  'page stands below the offered ones',
  'page is offered, nothing of it is shown',
  'other passages of the page are shown',
  'chunking split the quote',
  'quote is cut',
] as const;
export type LossKind = (typeof lossKinds)[number];

export interface Loss {
  readonly kind: LossKind;
  /** Of the page that holds the quote, from 1; null where it is no candidate. */
  readonly rank: number | null;
  readonly shown: string;
}

const OFFERED = 8;
const FIRST = 10;

interface ChunkText {
  readonly headings: string;
  /** As an answer shows it. */
  readonly text: string;
}

export type PageFinder = (site: string, path: string) => Promise<readonly ChunkText[] | null>;

/** Texts of the chunks of a page, by its path in any of its spellings. */
export async function createPageFinder(store: Store): Promise<PageFinder> {
  const places = new Map<string, { readonly version: VersionId; readonly url: PageUrl }>();
  for (const source of await store.sources.list()) {
    for (const { id: version } of source.versions) {
      for (let after: string | null = null, more = true; more; more = after !== null) {
        const piece: Awaited<ReturnType<Store['pages']['list']>> = await store.pages.list(version, after, 1000);
        for (const { url } of piece.pages) places.set(`${source.name} ${pageKey(url)}`, { version, url });
        after = piece.after;
      }
    }
  }
  return async (site, path) => {
    const place = places.get(`${site} ${pageKey(path)}`);
    if (place === undefined) return null;
    const chunks = await store.pages.chunksOf(place.version, place.url);
    return chunks.map(({ headings, text }) => ({ headings: headings.join(' '), text: withoutLinkTargets(text) }));
  };
}

/** The least of the losses of a question's quotes. */
export async function lossOf(
  question: Question,
  findings: Findings,
  shown: readonly AnswerPage[],
  find: PageFinder,
): Promise<Loss> {
  const losses: Loss[] = [];
  for (const { url_path: path, quote } of question.evidence) {
    const aliases = question.gold.find((gold) => pageKey(gold.url_path) === pageKey(path))?.aliases ?? [];
    const paths = [path, ...aliases];
    const keys = new Set(paths.map(pageKey));
    const texts = (await Promise.all(paths.map((one) => find(question.site, one)))).find((one) => one !== null);
    const at = findings.pages.findIndex(
      ({ candidate }) => candidate.source === question.site && keys.has(pageKey(candidate.url)),
    );
    const page = shown.find(({ source, url }) => source === question.site && keys.has(pageKey(url)));
    losses.push({
      kind: kindOf({ texts: texts ?? null, quote: lettersOf(quote), at, page }),
      rank: at === -1 ? null : at + 1,
      shown: (page?.passages ?? []).map(({ lines }) => `${lines.first}–${lines.last}`).join(),
    });
  }
  losses.sort((left, right) => lossKinds.indexOf(right.kind) - lossKinds.indexOf(left.kind));
  return losses[0] ?? { kind: 'page is not in the library', rank: null, shown: '' };
}

interface Way {
  readonly texts: readonly ChunkText[] | null;
  readonly quote: string;
  readonly at: number;
  readonly page: AnswerPage | undefined;
}

function kindOf({ texts, quote, at, page }: Way): LossKind {
  if (texts === null) return 'page is not in the library';
  const isWhole = texts.some(({ headings, text }) => lettersOf(`${headings} ${text}`).includes(quote));
  if (!isWhole && !lettersOf(texts.map(({ text }) => text).join(' ')).includes(quote))
    return 'extraction left the quote out';
  if (at === -1) return 'page is not among the candidates';
  if (at >= FIRST) return 'page stands below the ten first';
  if (at >= OFFERED) return 'page stands below the offered ones';
  if (page === undefined) return 'page is offered, nothing of it is shown';
  const half = quote.slice(0, Math.ceil(quote.length / 2));
  const rest = quote.slice(half.length);
  const seen = lettersOf(page.passages.map(({ text }) => text).join(' '));
  if (!seen.includes(half) && !seen.includes(rest)) return 'other passages of the page are shown';
  return isWhole ? 'quote is cut' : 'chunking split the quote';
}
