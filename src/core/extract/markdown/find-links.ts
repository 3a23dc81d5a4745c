// Finds the links in Markdown text: inline, by reference, in angle brackets and bare, but not inside code. Brackets are
// matched with a stack, so nesting stays linear.

import { codeSpans, inlineToPlainText } from './inline-markdown.ts';

export interface FoundLink {
  readonly target: string;
  readonly text: string;
}

const LINK_TOKEN = /[[\]\\]|<(?=https?:\/\/)|https?:\/\//g;
const MAX_TARGET_CHARS = 2048;
const MAX_OPEN_BRACKETS = 10_000;

/** `[label]: target` lines, labels in lower case. The first definition of a label counts. */
export function parseLinkDefinition(line: string): readonly [label: string, target: string] | null {
  const found = /^ {0,3}\[([^\]]{1,300})\]:[ \t]*<?([^\s>]{1,2048})/.exec(line.slice(0, 2500));
  if (found === null || found[1]?.startsWith('^') === true) return null;
  return [labelKey(found[1] ?? ''), found[2] ?? ''];
}

function labelKey(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

interface OpenBracket {
  readonly at: number;
  readonly isImage: boolean;
}

interface LinkSearch {
  readonly text: string;
  readonly definitions: ReadonlyMap<string, string>;
  readonly links: FoundLink[];
  readonly open: OpenBracket[];
}

export function findLinks(text: string, definitions: ReadonlyMap<string, string>): readonly FoundLink[] {
  const search: LinkSearch = { text, definitions, links: [], open: [] };
  const spans = codeSpans(text);
  const pattern = new RegExp(LINK_TOKEN);
  let span = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    while ((spans[span]?.end ?? Infinity) <= match.index) span += 1;
    const code = spans[span];
    const isCode = code !== undefined && code.start <= match.index;
    pattern.lastIndex = isCode ? code.end : consumeToken(search, match[0], match.index);
  }
  return search.links;
}

/** Handles one token; returns the offset to continue at. */
function consumeToken(search: LinkSearch, token: string, at: number): number {
  switch (token) {
    case '\\':
      return at + 2;
    case '[':
      if (search.open.length < MAX_OPEN_BRACKETS) search.open.push({ at, isImage: search.text[at - 1] === '!' });
      return at + 1;
    case ']':
      return closeBracket(search, at);
    default: {
      const from = token === '<' ? at + 1 : at;
      const target = bareUrl(search.text, from);
      search.links.push({ target, text: '' });
      return from + Math.max(target.length, 1);
    }
  }
}

function closeBracket({ text, open, links, definitions }: LinkSearch, at: number): number {
  const bracket = open.pop();
  if (bracket === undefined) return at + 1;
  const inside = text.slice(bracket.at + 1, Math.min(at, bracket.at + 600));
  const { target, end } = targetAfter(text, at + 1, inside, definitions);
  if (target !== null && !bracket.isImage) links.push({ target, text: inlineToPlainText(inside).slice(0, 300) });
  return end;
}

interface Target {
  readonly target: string | null;
  readonly end: number;
}

function targetAfter(text: string, at: number, inside: string, definitions: ReadonlyMap<string, string>): Target {
  if (text[at] === '(') return inlineTarget(text, at + 1);
  if (text[at] === ':') return { target: null, end: at };
  if (text[at] === '[') {
    const close = text.slice(at + 1, at + 302).indexOf(']');
    if (close !== -1) {
      const label = close === 0 ? inside : text.slice(at + 1, at + 1 + close);
      return { target: definitions.get(labelKey(label)) ?? null, end: at + close + 2 };
    }
  }
  return { target: definitions.get(labelKey(inside)) ?? null, end: at };
}

function inlineTarget(text: string, from: number): Target {
  let start = from;
  while (text[start] === ' ' || text[start] === '\n') start += 1;
  if (text[start] === '<') {
    const close = text.slice(start + 1, start + 1 + MAX_TARGET_CHARS).search(/[>\n]/);
    if (close === -1) return { target: null, end: from };
    return { target: text.slice(start + 1, start + 1 + close), end: start + close + 2 };
  }
  const end = bareEnd(text, start);
  const isWhole = end < text.length && end - start < MAX_TARGET_CHARS;
  return isWhole ? { target: text.slice(start, end), end } : { target: null, end: from };
}

/** Ends at the closing parenthesis; parentheses inside must balance, and a space ends the target and starts a title. */
function bareEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < text.length && at - start < MAX_TARGET_CHARS; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || (code === 41 && depth === 0)) return at;
    if (code === 40) depth += 1;
    if (code === 41) depth -= 1;
  }
  return at;
}

/** A bare URL ends at white space or a bracket, without the trailing punctuation of its sentence. */
function bareUrl(text: string, from: number): string {
  const run = /^[^\s<>"'`[\]{}|\\^]+/.exec(text.slice(from, from + MAX_TARGET_CHARS))?.[0] ?? '';
  const bare = run.replace(/[.,;:!?*_~]{1,20}$/, '');
  return bare.endsWith(')') && !bare.includes('(') ? bare.slice(0, -1) : bare;
}
