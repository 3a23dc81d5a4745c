// Whether the Markdown that a site publishes of its pages is as good as what we extract from their HTML. Some generators
// lose tables, code, the anchors of definitions or whole parts of a page.

import type { Document } from '../../model/document.ts';
import { scanMarkdown } from '../../markdown/scan-blocks.ts';

/** What a document has, and how much of it another document of the same page keeps. */
interface Retained {
  readonly total: number;
  readonly retained: number;
}

export interface MarkdownFidelity {
  readonly words: Retained;
  readonly codeBlocks: Retained;
  readonly tables: Retained;
  /** Functions, settings and other symbols that can be linked to. */
  readonly definitions: Retained;
}

export type ComparedDocument = Pick<Document, 'text' | 'outline'>;

export const MIN_RETAINED_SHARE = 0.95;

/** `extracted` is the document of the HTML page, `published` that of the site's own Markdown of the same page. */
export function compareMarkdown(published: ComparedDocument, extracted: ComparedDocument): MarkdownFidelity {
  const [own, other] = [contentOf(published), contentOf(extracted)];
  let retained = 0;
  for (const [word, times] of other.words) retained += Math.min(times, own.words.get(word) ?? 0);
  return {
    words: { total: sum(other.words.values()), retained },
    codeBlocks: { total: other.codeBlocks, retained: Math.min(own.codeBlocks, other.codeBlocks) },
    tables: { total: other.tables, retained: Math.min(own.tables, other.tables) },
    definitions: { total: other.definitions, retained: Math.min(own.definitions, other.definitions) },
  };
}

/** Sums up several pages: in a short page, a few words of a footer are more than a twentieth. */
export function addFidelities(pages: readonly MarkdownFidelity[]): MarkdownFidelity {
  const all = (part: keyof MarkdownFidelity): Retained => ({
    total: sum(pages.map((page) => page[part].total)),
    retained: sum(pages.map((page) => page[part].retained)),
  });
  return {
    words: all('words'),
    codeBlocks: all('codeBlocks'),
    tables: all('tables'),
    definitions: all('definitions'),
  };
}

export function isFaithful({ words, codeBlocks, tables, definitions }: MarkdownFidelity): boolean {
  return [words, codeBlocks, tables, definitions].every(
    ({ total, retained }) => retained >= total * MIN_RETAINED_SHARE,
  );
}

/** `97 % of the words, 4 of 4 code blocks, 0 of 2 tables`; without what the pages do not have. */
export function describeFidelity({ words, codeBlocks, tables, definitions }: MarkdownFidelity): string {
  const share = words.total === 0 ? 100 : Math.floor((words.retained * 100) / words.total);
  const counted = Object.entries({ 'code blocks': codeBlocks, tables, definitions })
    .filter(([, { total }]) => total > 0)
    .map(([what, { retained, total }]) => `${retained} of ${total} ${what}`);
  return [`${share} % of the words`, ...counted].join(', ');
}

interface Content {
  readonly words: ReadonlyMap<string, number>;
  readonly codeBlocks: number;
  readonly tables: number;
  readonly definitions: number;
}

/** Link targets and raw HTML are not words of a page. */
const NOT_WORDS = /\]\([^()\s]{0,2000}(?:\s"[^"]{0,500}")?\)|<\/?[a-z][^<>]{0,1000}>/gi;

function contentOf({ text, outline }: ComparedDocument): Content {
  const { blocks } = scanMarkdown(text);
  const words = new Map<string, number>();
  for (const [word] of text.replaceAll(NOT_WORDS, ' ').matchAll(/[\p{L}\p{N}]+/gu)) {
    const lower = word.toLowerCase();
    words.set(lower, (words.get(lower) ?? 0) + 1);
  }
  return {
    words,
    codeBlocks: sum(blocks.map(({ code }) => code.length)),
    tables: blocks.filter(({ kind }) => kind === 'table').length,
    definitions: outline.filter(({ anchor, definition }) => anchor !== null && definition !== undefined).length,
  };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}
