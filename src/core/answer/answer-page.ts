// The pages of an answer: merges the chosen passages of a page, and formats pages as the text that a token budget is
// counted on and an agent reads.

export interface AnswerPassage {
  /** From the page title down. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly lines: { readonly first: number; readonly last: number };
  /** Id of the chunk that the passage was taken from. */
  readonly chunk: string;
  readonly text: string;
}

export interface AnswerPage {
  readonly source: string;
  readonly version: string;
  readonly url: string;
  readonly title: string;
  /** When the page was last confirmed to be current, ISO 8601. */
  readonly checkedAt: string;
  readonly passages: readonly AnswerPassage[];
}

/** A chunk, or part of one, that may become a passage of the answer. */
export interface PassageCandidate extends AnswerPassage {
  /** Index of the chunk on its page. */
  readonly position: number;
  /** Which part of the chunk's text this is, from 0, and of how many; absent for the whole text. */
  readonly part?: { readonly nth: number; readonly of: number };
  /** Lexical score, as a share of the total weight of the query. */
  readonly score: number;
  /** Vector similarity to the query, 0 to 1; 0 in lexical mode. */
  readonly similarity?: number;
}

export interface PageCandidates extends Omit<AnswerPage, 'passages'> {
  readonly score: number;
  /** In page order. Texts are as the answer shows them, without link targets. */
  readonly candidates: readonly PassageCandidate[];
}

/** Passages per page. */
export const MAX_PASSAGES = 2;

/**
 * Merges candidates of one page into at most two passages, split at the widest gap; smaller gaps are shown as `…`. A passage
 * cites its best chunk and the lines of all of them.
 */
export function mergePassages(candidates: readonly PassageCandidate[]): AnswerPassage[] {
  const ordered = candidates.toSorted(
    (left, right) => left.position - right.position || (left.part?.nth ?? 0) - (right.part?.nth ?? 0),
  );
  const cut = widestGap(ordered);
  const groups = cut === -1 ? [ordered] : [ordered.slice(0, cut), ordered.slice(cut)];
  return groups.slice(0, MAX_PASSAGES).map(mergeGroup);
}

/** Where the second group begins; -1 if all are adjacent. */
function widestGap(ordered: readonly PassageCandidate[]): number {
  let widest = 1;
  let cut = -1;
  ordered.forEach((candidate, at) => {
    const gap = candidate.position - (ordered[at - 1]?.position ?? candidate.position);
    if (gap <= widest) return;
    widest = gap;
    cut = at;
  });
  return cut;
}

function mergeGroup(group: readonly PassageCandidate[]): AnswerPassage {
  const best = group.reduce((highest, candidate) => (candidate.score > highest.score ? candidate : highest));
  const { headings, anchor, chunk } = best;
  const text = group
    .map((candidate, at) => {
      const before = group[at - 1];
      const separator = before === undefined ? '' : isAdjacent(before, candidate) ? '\n\n' : '\n…\n';
      return `${separator}${candidate.text.trim()}`;
    })
    .join('');
  const lines = { first: group[0]?.lines.first ?? 0, last: group.at(-1)?.lines.last ?? 0 };
  return { headings, anchor, chunk, lines, text };
}

/** Whether there is nothing between the two on the page. */
function isAdjacent(before: PassageCandidate, candidate: PassageCandidate): boolean {
  const nth = candidate.part?.nth ?? 0;
  if (candidate.position === before.position) return nth === (before.part?.nth ?? 0) + 1;
  const isEnd = before.part === undefined || before.part.nth + 1 === before.part.of;
  return candidate.position === before.position + 1 && isEnd && nth === 0;
}

export function formatAnswer(pages: readonly AnswerPage[]): string {
  return pages
    .map((page) =>
      [pageHeader(page), ...page.passages.map((passage) => `${passageHeader(passage)}\n${passage.text}`)].join('\n'),
    )
    .join('\n\n');
}

type HeaderFields = Pick<AnswerPage, 'source' | 'version' | 'url' | 'title' | 'checkedAt'>;

/** `## Title` and the origin of the page, once for all its passages. */
export function pageHeader({ source, version, url, title, checkedAt }: HeaderFields): string {
  const origin = version === '' ? source : `${source} ${version}`;
  return `## ${title}\n<${url}> ${origin}, ${checkedAt.slice(0, 10)}`;
}

/** Where on the page: headings below the title, the anchor, the lines. */
export function passageHeader({ headings, anchor, lines }: Omit<AnswerPassage, 'text'>): string {
  const path = headings.slice(1).join(' › ');
  const fragment = anchor === null ? '' : ` #${anchor}`;
  return `### ${path === '' ? '' : `${path} `}(lines ${lines.first}–${lines.last}${fragment})`;
}

export function chunkUrl(url: string, anchor: string | null): string {
  return anchor === null ? url : `${url}#${anchor}`;
}
