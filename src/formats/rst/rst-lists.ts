// The lists of reStructuredText: bullets, numbers, fields and command-line options.

import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';
import { endOfIndented, endOfParagraph, indentOf, isBlank } from '../../core/extract/markup/indented-lines.ts';
import type { RstContext, Written } from './rst-context.ts';

const BULLET = /^([*+\-•‣⁃])(?: +(?=\S)|$)/;
const NUMBER =
  /^(?:\((?:\d{1,9}|#|[a-zA-Z]|[ivxlcdmIVXLCDM]{1,9})\)|(?:\d{1,9}|#|[a-zA-Z]|[ivxlcdmIVXLCDM]{1,9})[.)]) +(?=\S)/;
const FIELD = /^:((?:\\:|[^:\s])(?:\\:|[^:\n]|:(?!\s|$)){0,200}):(?: +|$)/;
const OPTION =
  /^((?:-\w(?: ?[^\s,]{1,60})?|--[\w-]{1,60}(?:[= ][^\s,]{1,60})?|\/\w{1,20})(?:, (?:-\w(?: ?[^\s,]{1,60})?|--[\w-]{1,60}(?:[= ][^\s,]{1,60})?|\/\w{1,20})){0,5})(?: {2,}|$)/;

export function writeRstList(lines: readonly string[], at: number, context: RstContext): Written | null {
  const line = lines[at] as string;
  const [, bullet] = BULLET.exec(line) ?? [];
  if (bullet !== undefined)
    return writeItems(lines, at, context, { marker: BULLET, tag: 'ul', accepts: (text) => text[0] === bullet });
  if (isNumbered(lines, at)) return writeItems(lines, at, context, { marker: NUMBER, tag: 'ol', accepts: () => true });
  if (FIELD.test(line)) return writeFields(lines, at, context);
  return isOption(lines, at) ? writeOptions(lines, at, context) : null;
}

/** A paragraph may begin with `A. ` or `1900. `: an item's second line is indented, or absent. */
function isNumbered(lines: readonly string[], at: number): boolean {
  const match = NUMBER.exec(lines[at] as string);
  const next = lines[at + 1];
  if (match === null) return false;
  return isBlank(next) || indentOf(next as string) >= match[0].length || NUMBER.test(next as string);
}

interface ListSyntax {
  readonly marker: RegExp;
  readonly tag: 'ul' | 'ol';
  readonly accepts: (line: string) => boolean;
}

function writeItems(lines: readonly string[], at: number, context: RstContext, syntax: ListSyntax): Written {
  const items: string[] = [];
  let end = at;
  for (let next = at; next < lines.length;) {
    const line = lines[next] as string;
    const [marker] = syntax.marker.exec(line) ?? [];
    if (marker === undefined || !syntax.accepts(line)) break;
    end = Math.max(next + 1, endOfIndented(lines, next + 1, Math.min(marker.length, 2)));
    items.push(
      `<li>${context.blocks([' '.repeat(marker.length) + line.slice(marker.length), ...lines.slice(next + 1, end)])}</li>\n`,
    );
    next = end;
    while (next < lines.length && isBlank(lines[next])) next += 1;
  }
  return { html: `<${syntax.tag}${startOf(lines[at] as string, syntax)}>${items.join('')}</${syntax.tag}>\n`, end };
}

function startOf(line: string, { tag }: ListSyntax): string {
  const [, number] = tag === 'ol' ? (/^\(?(\d{1,9})/.exec(line) ?? []) : [];
  return number === undefined || number === '1' ? '' : ` start="${Number(number)}"`;
}

function writeFields(lines: readonly string[], at: number, context: RstContext): Written {
  const parts: string[] = [];
  let end = at;
  for (let next = at; next < lines.length;) {
    const line = lines[next] as string;
    const [marker, name = ''] = FIELD.exec(line) ?? [];
    if (marker === undefined) break;
    end = endOfIndented(lines, next + 1, 1);
    const body = [line.slice(marker.length), ...lines.slice(next + 1, end)].map((text, index) =>
      index === 0 ? `    ${text}` : text,
    );
    // Fields such as `:orphan:` are for the program that builds the documentation.
    const isEmpty = body.every((text) => isBlank(text));
    if (!isEmpty) parts.push(`<dt>${context.inline(name)}</dt><dd>${context.blocks(alignFirst(body))}</dd>\n`);
    next = end;
    while (next < lines.length && isBlank(lines[next])) next += 1;
  }
  return { html: parts.length === 0 ? '' : `<dl>${parts.join('')}</dl>\n`, end: Math.max(end, at + 1) };
}

/** The first line continues with the indentation of the others. */
export function alignFirst(body: readonly string[]): readonly string[] {
  const [first = '', ...others] = body;
  const second = others.find((text) => !isBlank(text));
  return second === undefined ? [first.trim()] : [' '.repeat(indentOf(second)) + first.trim(), ...others];
}

function isOption(lines: readonly string[], at: number): boolean {
  const line = lines[at] as string;
  const [marker] = OPTION.exec(line) ?? [];
  if (marker === undefined) return false;
  const next = lines[at + 1];
  return marker.length < line.length || (!isBlank(next) && indentOf(next as string) > 0);
}

function writeOptions(lines: readonly string[], at: number, context: RstContext): Written {
  const parts: string[] = [];
  let end = at;
  for (let next = at; next < lines.length && isOption(lines, next);) {
    const line = lines[next] as string;
    const [marker = '', options = ''] = OPTION.exec(line) ?? [];
    end = Math.max(next + 1, endOfIndented(lines, next + 1, 1));
    const body = alignFirst([line.slice(marker.length), ...lines.slice(next + 1, end)]);
    parts.push(`<dt><code>${escapeHtml(options)}</code></dt><dd>${context.blocks(body)}</dd>\n`);
    next = end;
    while (next < lines.length && isBlank(lines[next])) next += 1;
  }
  return { html: `<dl>${parts.join('')}</dl>\n`, end: Math.max(end, Math.min(endOfParagraph(lines, at), at + 1)) };
}
