// Headings of a Markdown text: normalized to ATX form, and collected in an outline with anchors.

import type { OutlineEntry } from '../../model/document.ts';
import { splitHeadingAttributes } from '../../markdown/heading-attributes.ts';
import { inlineToPlainText } from './inline-markdown.ts';

/** `Title` over a row of `=` or `-` becomes `# Title`, and `<h2>Title</h2>` on one line becomes `## Title`. */
export function toAtxHeadings(lines: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const level = underlineLevel(lines[index + 1] ?? '');
    const isAlone =
      index === 0 || (lines[index - 1] ?? '').trim() === '' || parseAtxHeading(lines[index - 1] ?? '') !== null;
    if (level > 0 && isAlone && canBeHeading(line)) {
      result.push(`${'#'.repeat(level)} ${line.trim()}`);
      index += 1;
    } else {
      result.push(htmlHeading(line) ?? line);
    }
  }
  return result;
}

function underlineLevel(line: string): number {
  if (line.length > 500 || !/^ {0,3}(?:=+|-+)\s*$/.test(line)) return 0;
  return line.includes('=') ? 1 : 2;
}

function canBeHeading(line: string): boolean {
  return line.trim() !== '' && !/^(?: {0,3}(?:[#>|]|[-*+]\s|\d+[.)]\s|[-_*=]{3,}\s*$)| {4}|\t)/.test(line);
}

function htmlHeading(line: string): string | null {
  if (!/^\s*<h[1-6][\s>]/i.test(line) || line.length > 2000) return null;
  const [, level, attributes = '', text = ''] = /^\s*<h([1-6])([^>]*)>(.*)<\/h\1>\s*$/i.exec(line) ?? [];
  if (level === undefined || text.trim() === '') return null;
  const id = /\bid\s*=\s*["']?([\w.:-]+)/.exec(attributes)?.[1];
  return `${'#'.repeat(Number(level))} ${text.trim()}${id === undefined ? '' : ` {#${id}}`}`;
}

export interface AtxHeading {
  readonly level: number;
  readonly text: string;
}

/** `## Text ##` → level and text; null for any other line. */
export function parseAtxHeading(line: string): AtxHeading | null {
  const [markers] = /^ {0,3}#{1,6}(?=[ \t]|$)/.exec(line) ?? [];
  if (markers === undefined) return null;
  let text = line.slice(markers.length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  if (end < text.length && (end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t'))
    text = text.slice(0, end).trim();
  return { level: markers.trim().length, text };
}

/** `record` adds a heading to the outline and returns its line without the list of attributes. */
export function createOutliner(): {
  readonly entries: readonly OutlineEntry[];
  readonly record: (line: string, number: number) => string;
} {
  const entries: OutlineEntry[] = [];
  const slug = createSlugger();
  return {
    entries,
    record(line, number) {
      const heading = parseAtxHeading(line);
      if (heading === null) return line;
      const { text, anchor } = splitHeadingAttributes(heading.text);
      const plain = inlineToPlainText(text);
      if (plain === '') return line;
      entries.push({ level: heading.level, text: plain, anchor: anchor ?? slug(plain), line: number });
      return `${'#'.repeat(heading.level)} ${text}`;
    },
  };
}

/** Anchors as GitHub and most site generators build them. Stateful per document: the second "Example" is `example-1`. */
export function createSlugger(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const base = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let slug = base;
    let count = used.get(base) ?? 0;
    while (used.has(slug)) {
      count += 1;
      slug = `${base}-${count}`;
    }
    used.set(base, count);
    used.set(slug, used.get(slug) ?? 0);
    return slug;
  };
}
