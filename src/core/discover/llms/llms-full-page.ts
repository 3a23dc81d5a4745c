// What is known of a site's pages before llms-full.txt is split, and what is known after.

import type { PageUrl } from '../../model/page-url.ts';

export interface KnownPage {
  readonly url: PageUrl;
  readonly title: string | null;
}

export interface LlmsFullPage {
  readonly url: PageUrl;
  readonly title: string | null;
  /** Markdown, ending in one line feed; what the generator added between pages is gone. */
  readonly text: string;
  /**
   * `confirmed`: the file states the address, and llms.txt or the sitemap has it too. `stated`: the file alone states
   * it. `matched`: the page's title is that of exactly one known page, and its neighbours fit.
   */
  readonly confidence: 'confirmed' | 'stated' | 'matched';
  /** 1-based line of the file. */
  readonly firstLine: number;
}

/** Text that is attributed to no page. */
export interface LlmsFullGap {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly because: string;
}

export interface LlmsFullSplit {
  /** How the file marks its pages; null where no way was found. */
  readonly form: string | null;
  readonly pages: readonly LlmsFullPage[];
  readonly gaps: readonly LlmsFullGap[];
}

const SEPARATOR = /^(?:-{3,}|={3,}|\*{3,}|_{3,})\s*$/;

/** The lines of one page without blank lines around them and without a rule at the end. */
export function pageText(lines: readonly string[], start: number, end: number): string {
  let first = start;
  let last = end;
  while (first < last && isBlank(lines[first])) first += 1;
  while (last > first && (isBlank(lines[last - 1]) || SEPARATOR.test(lines[last - 1] ?? ''))) last -= 1;
  return first === last ? '' : `${lines.slice(first, last).join('\n')}\n`;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
