// The lists of AsciiDoc. Their nesting follows from the markers, not from the indentation: a marker that is not open yet
// begins a list inside the current item.

import { codeBlock } from '../../core/extract/markup/markup-document.ts';
import { dedent, isBlank } from '../../core/extract/markup/indented-lines.ts';
import type { AsciidocContext, Written } from './asciidoc-context.ts';
import { sectionTitle, startsBlock } from './asciidoc-lines.ts';

interface Marker {
  /** Equal for the items of one list. */
  readonly key: string;
  readonly tag: 'ul' | 'ol' | 'dl';
  readonly term: string;
  readonly text: string;
}

const BULLET = /^\s*(\*{1,6}|-|•)\s+(\S.*)$/;
const NUMBER = /^\s*(\.{1,6}|\d{1,6}\.|[a-zA-Z]\.|[ivxIVX]{1,6}\)|<(?:\d{1,3}|\.)>)\s+(\S.*)$/;
const TERM = /^\s*((?:[^\s:;]|[:;](?![:;]|\s*$)|:(?=\w)|\s(?=\S)|:::?(?=\S)){1,300}?)(:{2,4}|;;)(?:\s+(.*))?$/;
const MAX_ITEM_DEPTH = 16;

function markerOf(line: string): Marker | null {
  const [, bullet, item = ''] = BULLET.exec(line) ?? [];
  if (bullet !== undefined) return { key: bullet, tag: 'ul', term: '', text: item };
  const [, number, step = ''] = NUMBER.exec(line) ?? [];
  if (number !== undefined) return { key: numberKey(number), tag: 'ol', term: '', text: step };
  return line.includes('::') || line.includes(';;') ? termOf(line) : null;
}

function numberKey(number: string): string {
  return number
    .replace(/\d+/, '1')
    .replace(/^[a-z]\.$/, 'a.')
    .replace(/^[A-Z]\.$/, 'A.');
}

const MACRO = /^\s*(?:include|image|ifdef|ifndef|endif|toc|video|audio)::/;

function termOf(line: string): Marker | null {
  const [, term, key, text = ''] = MACRO.test(line) ? [] : (TERM.exec(line) ?? []);
  return term === undefined || key === undefined ? null : { key, tag: 'dl', term, text };
}

export function isListItem(line: string): boolean {
  return markerOf(line) !== null;
}

export function writeAsciidocList(
  lines: readonly string[],
  at: number,
  context: AsciidocContext,
  open: readonly string[] = [],
): Written {
  const first = markerOf(lines[at] as string) as Marker;
  const within = [...open, first.key];
  const items: string[] = [];
  let next = at;
  let end = at;
  while (next < lines.length) {
    const marker = markerOf(lines[next] as string);
    if (marker?.key !== first.key) break;
    const item = writeItem(lines, next, marker, { context, open: within });
    items.push(item.html);
    end = item.end;
    next = skipBlank(lines, end);
  }
  return { html: `<${first.tag}>${items.join('')}</${first.tag}>\n`, end };
}

function skipBlank(lines: readonly string[], at: number): number {
  let next = at;
  while (next < lines.length && (isBlank(lines[next]) || /^\/\/(?!\/\/)/.test(lines[next] as string))) next += 1;
  return next;
}

interface ItemContext {
  readonly context: AsciidocContext;
  readonly open: readonly string[];
}

function writeItem(lines: readonly string[], at: number, marker: Marker, location: ItemContext): Written {
  const { context } = location;
  const text = itemText(lines, at, marker);
  const parts = [text.content === '' ? '' : `<p>${context.inline(text.content)}</p>\n`];
  let { end } = text;
  for (;;) {
    const attached = attachedBlock(lines, end, {
      ...location,
      isEmpty: parts.every((part) => part === '') && marker.tag === 'dl',
    });
    if (attached === null) break;
    parts.push(attached.html);
    end = Math.max(end + 1, attached.end);
  }
  const html = parts.join('');
  return {
    html:
      marker.tag === 'dl'
        ? `<dt>${context.inline(marker.term)}</dt>${html === '' ? '' : `<dd>${html}</dd>`}\n`
        : `<li>${html}</li>\n`,
    end,
  };
}

/** The text after the marker, up to a blank line, another item, a continuation or a block. */
function itemText(
  lines: readonly string[],
  at: number,
  marker: Marker,
): { readonly content: string; readonly end: number } {
  const texts = [marker.text];
  let end = at + 1;
  if (marker.tag === 'dl' && marker.text === '') {
    const next = skipBlank(lines, end);
    // The description may begin on the next line, or after a blank one if it is indented.
    if (next > end && !/^\s+\S/.test(lines[next] ?? '')) return { content: '', end };
    end = next;
  }
  for (; end < lines.length && !endsItemText(lines, end, marker); end += 1) texts.push((lines[end] as string).trim());
  return { content: texts.filter((text) => text !== '').join('\n'), end };
}

function endsItemText(lines: readonly string[], at: number, { tag }: Marker): boolean {
  const line = lines[at] as string;
  if (isBlank(line) || line === '+' || startsBlock(lines, at) || isListItem(line)) return true;
  return tag !== 'dl' && /^\.[^\s.]/.test(line);
}

/** What belongs to the item besides its text: nested lists, continued blocks and indented code. */
function attachedBlock(
  lines: readonly string[],
  at: number,
  { context, open, isEmpty }: ItemContext & { readonly isEmpty: boolean },
): Written | null {
  const next = skipBlank(lines, at);
  const line = lines[next];
  if (line === undefined) return null;
  if (line === '+') return next > at && open.length > 1 ? null : continuedBlock(lines, next + 1, context);
  const marker = markerOf(line);
  if (marker !== null) {
    const isOuter = open.includes(marker.key) || open.length >= MAX_ITEM_DEPTH;
    return isOuter ? null : writeAsciidocList(lines, next, context, open);
  }
  if (/^\s+\S/.test(line)) return indentedBlock(lines, next, isEmpty, context);
  return next === at && isAttached(lines, next, isEmpty) ? context.block(lines, next, true) : null;
}

/** A block directly below the text, or the description of a term that has none yet. */
function isAttached(lines: readonly string[], at: number, isEmpty: boolean): boolean {
  const isBlock = startsBlock(lines, at) && !(lines[at] as string).startsWith('[');
  return isBlock || (isEmpty && sectionTitle(lines, at) === null);
}

function continuedBlock(lines: readonly string[], at: number, context: AsciidocContext): Written {
  const start = skipBlank(lines, at);
  if (start >= lines.length) return { html: '', end: start };
  // A continued paragraph is often indented like the item: that does not make it code.
  const line = lines[start] as string;
  if (/^\s/.test(line) && !isListItem(line)) return indentedBlock(lines, start, false, context);
  return context.block(lines, start, true);
}

function indentedBlock(lines: readonly string[], at: number, isText: boolean, context: AsciidocContext): Written {
  let end = at;
  while (end < lines.length && !isBlank(lines[end]) && lines[end] !== '+' && (end === at || !startsBlock(lines, end)))
    end += 1;
  const content = dedent(lines.slice(at, end));
  return { html: isText ? `<p>${context.inline(content.join('\n'))}</p>\n` : codeBlock(content.join('\n'), null), end };
}
