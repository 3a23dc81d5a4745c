// Links out of a run of Markdown text: inline, by reference, in angle brackets and bare. Nothing inside code counts.
// Brackets are matched with a stack, so nesting costs nothing.

import { codeSpans } from './code-spans.ts';
import { plainInline } from './plain-inline.ts';

export interface FoundLink {
  readonly target: string;
  readonly text: string;
}

const INTERESTING = /[[\]\\]|<(?=https?:\/\/)|https?:\/\//g;
const MAX_TARGET = 2048;
const MAX_OPEN = 10_000;

/** `[label]: target` lines, labels in lower case. The first definition of a label counts. */
export function definitionOf(line: string): readonly [label: string, target: string] | null {
  const found = /^ {0,3}\[([^\]]{1,300})\]:[ \t]*<?([^\s>]{1,2048})/.exec(line.slice(0, 2500));
  if (found === null || found[1]?.startsWith('^') === true) return null;
  return [labelKey(found[1] ?? ''), found[2] ?? ''];
}

function labelKey(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

export function linksIn(text: string, definitions: ReadonlyMap<string, string>): readonly FoundLink[] {
  const links: FoundLink[] = [];
  const spans = codeSpans(text);
  const open: Array<{ readonly at: number; readonly isImage: boolean }> = [];
  const pattern = new RegExp(INTERESTING);
  let span = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const at = found.index;
    while ((spans[span]?.end ?? Infinity) <= at) span += 1;
    const code = spans[span];
    if (code !== undefined && code.start <= at) pattern.lastIndex = code.end;
    else if (found[0] === '\\') pattern.lastIndex = at + 2;
    else if (found[0] === '[') {
      if (open.length < MAX_OPEN) open.push({ at, isImage: text[at - 1] === '!' });
    } else if (found[0] === ']') {
      pattern.lastIndex = closeBracket(text, at, open.pop(), { links, definitions });
    } else {
      const target = bareTarget(text, found[0] === '<' ? at + 1 : at);
      links.push({ target, text: '' });
      pattern.lastIndex = at + Math.max(target.length, 1) + (found[0] === '<' ? 1 : 0);
    }
  }
  return links;
}

function closeBracket(
  text: string,
  at: number,
  opened: { readonly at: number; readonly isImage: boolean } | undefined,
  found: { readonly links: FoundLink[]; readonly definitions: ReadonlyMap<string, string> },
): number {
  if (opened === undefined) return at + 1;
  const inside = text.slice(opened.at + 1, Math.min(at, opened.at + 600));
  const { target, end } = targetAfter(text, at + 1, inside, found.definitions);
  if (target !== null && !opened.isImage) found.links.push({ target, text: plainInline(inside).slice(0, 300) });
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

/** Up to the closing bracket; brackets inside must balance, spaces end the target and begin a title. */
function inlineTarget(text: string, from: number): Target {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n') at += 1;
  if (text[at] === '<') {
    const close = text.slice(at + 1, at + 1 + MAX_TARGET).search(/[>\n]/);
    return close === -1
      ? { target: null, end: from }
      : { target: text.slice(at + 1, at + 1 + close), end: at + close + 2 };
  }
  const start = at;
  let depth = 0;
  for (; at < text.length && at - start < MAX_TARGET; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32) break;
    if (code === 40) depth += 1;
    else if (code === 41) {
      if (depth === 0) break;
      depth -= 1;
    }
  }
  const isWhole = at < text.length && at - start < MAX_TARGET;
  return isWhole ? { target: text.slice(start, at), end: at } : { target: null, end: from };
}

/** A bare URL ends at white space or a bracket, and gives back the punctuation of its sentence. */
function bareTarget(text: string, from: number): string {
  const run = /^[^\s<>"'`[\]{}|\\^]+/.exec(text.slice(from, from + MAX_TARGET))?.[0] ?? '';
  const bare = run.replace(/[.,;:!?*_~]{1,20}$/, '');
  return bare.endsWith(')') && !bare.includes('(') ? bare.slice(0, -1) : bare;
}
