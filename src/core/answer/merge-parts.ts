// Merges the chosen parts of a section into a passage, with the citation of exactly what it shows.

import { chunkUrl } from '../chunk/chunk-names.ts';
import type { CitedPassage } from './cited-markdown.ts';
import type { PageCandidates } from './passage-candidates.ts';
import type { ScoredPart } from './score-parts.ts';

export interface MergedPassage extends CitedPassage {
  /** Index of the page. */
  readonly page: number;
  /** Score and features of its best part. */
  readonly best: Pick<ScoredPart, 'score' | 'features'>;
}

export function bestOf(parts: readonly ScoredPart[]): ScoredPart {
  return parts.reduce((best, part) => (part.score > best.score ? part : best));
}

/** Parts of one section. Cites its heading, the best chunk, and the lines of what it shows. */
export function mergeParts(pages: readonly PageCandidates[], parts: readonly ScoredPart[]): MergedPassage {
  const ordered = parts.toSorted((left, right) => left.position - right.position || left.nth - right.nth);
  const { page, chunk, score, features, headings, anchor } = bestOf(parts);
  const { source, version, declaredVersion, url, title, checkedAt, isImported, candidates } = pages[page] ?? NO_PAGE;
  const lines = { first: ordered[0]?.lines.first ?? 0, last: ordered.at(-1)?.lines.last ?? 0 };
  return {
    page,
    best: { score, features },
    source,
    version,
    declaredVersion,
    url: chunkUrl(url, anchor),
    title,
    // Many pages repeat their title as their first heading.
    headings: headings.filter((heading, at) => heading !== headings[at - 1]),
    lines,
    checkedAt,
    ...(isImported === true && { isImported }),
    chunkId: chunk,
    text: ordered.map((part, at) => `${separator(ordered[at - 1], part)}${part.text}`).join(''),
    isPartial: isPartial(ordered, candidates),
  };
}

const NO_PAGE: Omit<PageCandidates, 'score'> = {
  source: '',
  version: '',
  declaredVersion: null,
  url: '',
  title: '',
  checkedAt: '',
  candidates: [],
};

/** Whether a candidate of the section is not shown, or the section continues below what is shown. */
function isPartial(shown: readonly ScoredPart[], candidates: PageCandidates['candidates']): boolean {
  const [first] = shown;
  const last = shown.at(-1);
  if (first === undefined || last === undefined) return false;
  if (shown.some(({ isCut }) => isCut === true)) return true;
  const { section } = first;
  const isShown = new Set(shown.map(({ position, nth }) => `${position} ${nth}`));
  const isLeftOut = candidates.some(({ position, parts }) =>
    parts.some((part, nth) => part.section === section && !isShown.has(`${position} ${nth}`)),
  );
  const sectionEnd = section === null ? 0 : Math.min(section.ownLastLine ?? 0, section.lastLine);
  return isLeftOut || last.lines.last + MAX_BLANK_LINES < sectionEnd;
}

/** Between the last line of a section and the next heading. */
const MAX_BLANK_LINES = 2;

/** `…` marks an omission. */
function separator(before: ScoredPart | undefined, part: ScoredPart): string {
  if (before === undefined) return '';
  const isNext =
    part.position === before.position
      ? part.nth === before.nth + 1
      : part.position === before.position + 1 && before.endsChunk && part.nth === 0;
  if (!isNext) return '\n…\n';
  return part.lines.first <= before.lines.last + 1 ? '\n' : '\n\n';
}
