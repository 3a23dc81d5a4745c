// Which lines of a Markdown text are literal: the form in which ranking, answers and discovery ask the block scanner.

import { scanMarkdown } from './scan-blocks.ts';
import type { CodeSpan, LineKind, ScanOptions } from './scan-state.ts';

export function isCodeLine(kind: LineKind | undefined): boolean {
  return kind === 'code' || kind === 'fence';
}

export function lineKinds(text: string, options: ScanOptions = {}): readonly LineKind[] {
  return scanMarkdown(text, options).lineKinds;
}

/** The fenced code in a part of a page, in order; none of it is inside another. */
export function fencedCode(text: string): readonly CodeSpan[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  return scanMarkdown(text, { isExcerpt: true }).blocks.flatMap(({ code }) => code);
}

/** Whether a part of a page ends inside fenced code. */
export function endsInFence(text: string): boolean {
  const last = fencedCode(text).at(-1);
  return last !== undefined && last.fence?.isClosed === false && last.end === text.length;
}

/** What precedes the markers of a fence in its line. `- ```js` continues as `  ```js`: a list marker would start another item. */
export function fencePrefix(text: string, fenceAt: number): string {
  const lineStart = text.lastIndexOf('\n', fenceAt - 1) + 1;
  return text.slice(fenceAt === 0 ? 0 : lineStart, fenceAt).replaceAll(/[^>\t]/g, ' ');
}
