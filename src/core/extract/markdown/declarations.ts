// Pages that package readers write: Markdown in which each heading of inline code defines the symbol that it names, with its aliases in
// the line `Also exported as …`, and the items below `Members:` define further symbols.

import type { Definition, OutlineEntry } from '../../model/document.ts';
import { ALIASES_LABEL, DECLARATIONS_MEDIA_TYPE, MEMBERS_LABEL } from '../../packages/symbol-page.ts';
import { decodePage } from '../decode/charset.ts';
import type { Extractor } from '../extractor.ts';
import { extractMarkdown } from './markdown.ts';

export const declarations: Extractor = {
  name: 'declarations',
  version: 2,
  mediaTypes: [DECLARATIONS_MEDIA_TYPE],
  extensions: [],

  extract(page) {
    const { document, metadata } = extractMarkdown({ url: page.url, text: decodePage(page), isMdx: false });
    const lines = document.text.split('\n');
    return { document: { ...document, outline: withDefinitions(document.outline, lines) }, metadata };
  },
};

const HEADING = /^#{2,6} `([^`]+)`$/;
const NAMES = /^(`[^`]+`(?:, `[^`]+`)*)\.$/;
/** `- `readonly name?: type`: text`. */
const MEMBER =
  /^- `(?:(?:readonly|static|abstract|get|set|protected|public|async|override|def|pub|fn|func)\s+)*["']?([\w$]+)/;

function withDefinitions(outline: readonly OutlineEntry[], lines: readonly string[]): readonly OutlineEntry[] {
  const ends = sectionEnds(outline, lines.length);
  return outline.map((entry, at) => {
    const symbol = HEADING.exec(lines[entry.line - 1] ?? '')?.[1];
    if (symbol === undefined) return entry;
    const next = outline[at + 1]?.line ?? lines.length + 1;
    const aliases = aliasesIn(lines.slice(entry.line, next - 1));
    const members = memberNames(lines, entry.line, next - 1).map((name) => `${symbol}.${name}`);
    const others = [...aliases, ...members].map((other) => ({ symbol: other, anchor: entry.anchor }));
    const definition: Definition = { symbol, lastLine: ends[at] ?? lines.length };
    return { ...entry, definition: others.length === 0 ? definition : { ...definition, others } };
  });
}

function aliasesIn(section: readonly string[]): readonly string[] {
  const line = section.findLast((one) => one.startsWith(ALIASES_LABEL)) ?? '';
  const list = NAMES.exec(line.slice(ALIASES_LABEL.length))?.[1];
  return list === undefined ? [] : list.slice(1, -1).split('`, `');
}

/** The last line of each section, with its subsections. */
function sectionEnds(outline: readonly OutlineEntry[], last: number): readonly number[] {
  const ends = outline.map(() => last);
  const open: number[] = [];
  for (const [at, { level, line }] of outline.entries()) {
    while (open.length > 0 && (outline[open.at(-1) ?? 0]?.level ?? 0) >= level) ends[open.pop() ?? 0] = line - 1;
    open.push(at);
  }
  return ends;
}

function memberNames(lines: readonly string[], first: number, last: number): readonly string[] {
  const label = lines.indexOf(MEMBERS_LABEL, first);
  if (label === -1 || label >= last) return [];
  const names: string[] = [];
  for (let at = label + 1; at < last; at += 1) {
    const name = MEMBER.exec(lines[at] ?? '')?.[1];
    if (name !== undefined) names.push(name);
  }
  return names;
}
