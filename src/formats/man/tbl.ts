// Tables of tbl(1), between `.TS` and `.TE`.

import { table, type Cell } from '../../core/extract/markup/markup-document.ts';
import type { RoffLine } from './roff-lines.ts';
import { roffHtml, type Strings } from './roff-text.ts';

export function readTbl(
  lines: readonly RoffLine[],
  at: number,
  strings: Strings,
): { readonly html: string; readonly end: number } {
  let end = at;
  while (end < lines.length && !isRequest(lines[end], 'TE')) end += 1;
  const content = lines.slice(at, end);
  const [first] = content;
  const options = first?.kind === 'text' && first.text.trimEnd().endsWith(';') ? first.text : '';
  const [, separator = '\t'] = /tab\s*\((.)\)/.exec(options) ?? [];
  const { formats, rest } = readFormat(options === '' ? content : content.slice(1));
  const cells = readRows(rest, separator).map((row): Cell[] =>
    row.map((text) => ({ html: roffHtml(text.trim(), strings) })),
  );
  return { html: table(cells, hasHead(formats, cells[0] ?? []) ? 1 : 0), end };
}

/** The first row is a header if its format or its text is bold. */
function hasHead(formats: readonly string[], row: readonly Cell[]): boolean {
  if (formats.length > 1 && /^(?:\s*[lcrnas]\w*[bB]\w*)+[.,]?/.test(formats[0] as string)) return true;
  return row.length > 1 && row.every(({ html }) => /^<strong>[^]*<\/strong>$/.test(html));
}

function isRequest(line: RoffLine | undefined, name: string): boolean {
  return line?.kind === 'request' && line.name === name;
}

/** The lines that describe the columns, up to the one that ends with a dot. */
function readFormat(content: readonly RoffLine[]): {
  readonly formats: readonly string[];
  readonly rest: readonly RoffLine[];
} {
  const formats: string[] = [];
  for (const [index, line] of content.entries()) {
    if (line.kind !== 'text') continue;
    formats.push(line.text);
    if (line.text.trimEnd().endsWith('.')) return { formats, rest: content.slice(index + 1) };
  }
  return { formats, rest: [] };
}

function readRows(content: readonly RoffLine[], separator: string): readonly string[][] {
  const rows: string[][] = [];
  /** The cell between `T{` and `T}`. */
  let block: string[] | null = null;
  let row: string[] = [];
  for (const line of content) {
    if (line.kind === 'request') {
      // A font macro is text, and `.T&` begins another format, which changes nothing here.
      if (block !== null) block.push(fontText(line));
      continue;
    }
    if (block !== null) {
      const [, after] = /^T\}(.*)$/.exec(line.text) ?? [];
      if (after === undefined) {
        block.push(line.text);
        continue;
      }
      row.push(block.join(' '));
      block = null;
      if (after === '') {
        rows.push(row);
        row = [];
        continue;
      }
      row = row.concat(after.slice(1).split(separator));
    } else if (/^[_=]$/.test(line.text.trim()) || line.text.trim() === '') continue;
    else row = line.text.split(separator);
    if (row.at(-1)?.trimEnd() === 'T{') {
      row.pop();
      block = [];
    } else {
      rows.push(row.map((cell) => (/^(?:\\_|_|=|\\\^)$/.test(cell.trim()) ? '' : cell)));
      row = [];
    }
  }
  return rows;
}

function fontText({ name, args }: Extract<RoffLine, { kind: 'request' }>): string {
  if (name === 'B' || name === 'I') return `\\f${name}${args.join(' ')}\\fR`;
  if (!/^[BIR]{2}$/.test(name)) return '';
  return `${args.map((text, index) => `\\f${name[index % 2]}${text}`).join('')}\\fR`;
}
