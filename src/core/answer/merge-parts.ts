// Merges the chosen parts of a section into a passage, with the citation of exactly what it shows.

import { chunkUrl } from '../chunk/chunk-names.ts';
import type { CitedPassage } from '../markdown/cited-markdown.ts';
import { commonSection, type PageSection } from '../outline/heading-path.ts';
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

/** Cites the best chunk, the innermost section that contains all parts, and the lines of what it shows. */
export function mergeParts(pages: readonly PageCandidates[], parts: readonly ScoredPart[]): MergedPassage {
  const ordered = parts.toSorted((left, right) => left.position - right.position || left.nth - right.nth);
  const { page, chunk, score, features } = bestOf(parts);
  const section = commonSection(ordered.map((part) => part.section));
  const { source, version, url, title, checkedAt } = pages[page] ?? NO_PAGE;
  const { headings, anchor } = citedHeading(ordered, section, title);
  return {
    page,
    best: { score, features },
    source,
    version,
    url: chunkUrl(url, anchor),
    title,
    // Many pages repeat their title as their first heading.
    headings: headings.filter((heading, at) => heading !== headings[at - 1]),
    lines: linesOf(ordered, section),
    checkedAt,
    chunk,
    text: ordered.map((part, at) => `${lead(ordered[at - 1], part, section)}${part.text}`).join(''),
  };
}

const NO_PAGE = { source: '', version: '', url: '', title: '', checkedAt: '' };

/** Without an outline, the heading of the chunk; parts of several top-level sections are under the title only. */
function citedHeading(
  [first]: readonly ScoredPart[],
  section: PageSection | null,
  title: string,
): Pick<ScoredPart, 'headings' | 'anchor'> {
  if (section !== null) return section;
  return first === undefined || first.section !== null ? { headings: [title], anchor: null } : first;
}

/** From the first heading or line that is shown. */
function linesOf(ordered: readonly ScoredPart[], cited: PageSection | null): MergedPassage['lines'] {
  const [first] = ordered;
  const heading = first?.section === cited ? undefined : first?.section?.line;
  return { first: heading ?? first?.lines.first ?? 0, last: ordered.at(-1)?.lines.last ?? 0 };
}

/** What comes before a part: the heading of its section unless that is cited, and `…` for an omission. */
function lead(before: ScoredPart | undefined, part: ScoredPart, cited: PageSection | null): string {
  const { section } = part;
  const isEntered = section !== null && section !== cited && section !== before?.section;
  const heading = isEntered ? `${'#'.repeat(section.level)} ${section.headings.at(-1) ?? ''}\n\n` : '';
  return `${separator(before, part)}${heading}`;
}

function separator(before: ScoredPart | undefined, part: ScoredPart): string {
  if (before === undefined) return '';
  const isNext =
    part.position === before.position
      ? part.nth === before.nth + 1
      : part.position === before.position + 1 && before.endsChunk && part.nth === 0;
  if (!isNext) return '\n…\n';
  return part.lines.first <= before.lines.last + 1 ? '\n' : '\n\n';
}
