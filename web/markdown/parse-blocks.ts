// Parses Markdown into blocks for display. Every line is scanned once per nesting level, and levels are capped, so any text
// takes linear time. HTML is treated as text: it is displayed, never executed.

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly line: number }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: ReadonlyArray<readonly Block[]> }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: ReadonlyArray<readonly string[]> }
  | { readonly kind: 'rule' };

const MAX_LEVELS = 8;

interface BlockScan {
  readonly lines: readonly string[];
  /** 1-based number of the first line within the whole document. */
  readonly from: number;
  readonly level: number;
}

/** A block and the index of the line after it. */
interface ParsedBlock {
  readonly block: Block;
  readonly end: number;
}

export function parseBlocks(text: string): readonly Block[] {
  return blocksOf({ lines: text.split('\n'), from: 1, level: 0 });
}

function blocksOf(scan: BlockScan): Block[] {
  const { lines } = scan;
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) at += 1;
    else {
      const parsed = blockAt(scan, at);
      blocks.push(parsed.block);
      at = parsed.end;
    }
  }
  return blocks;
}

function blockAt(scan: BlockScan, at: number): ParsedBlock {
  return fenceAt(scan, at) ?? headingAt(scan, at) ?? tableAt(scan, at) ?? nestedAt(scan, at) ?? paragraphAt(scan, at);
}

function fenceAt({ lines }: BlockScan, at: number): ParsedBlock | null {
  const [, indent = '', marks = '', info = ''] = /^( {0,3})(`{3,}|~{3,})([^`]*)$/.exec(lines[at] ?? '') ?? [];
  if (marks === '') return null;
  let end = at + 1;
  while (end < lines.length && !closesFence(lines[end] ?? '', marks)) end += 1;
  const inside = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  const language = info.trim().split(/\s/, 1)[0] ?? '';
  return { block: { kind: 'code', language, text: inside.join('\n') }, end: end + 1 };
}

function closesFence(line: string, marks: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= marks.length && trimmed === marks.charAt(0).repeat(trimmed.length);
}

function headingAt({ lines, from }: BlockScan, at: number): ParsedBlock | null {
  const line = lines[at] ?? '';
  if (/^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/.test(line.slice(0, 200)))
    return { block: { kind: 'rule' }, end: at + 1 };
  const [, marks = '', text = ''] = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) ?? [];
  if (marks === '') return null;
  return { block: { kind: 'heading', level: marks.length, text: text.trim(), line: from + at }, end: at + 1 };
}

function tableAt({ lines }: BlockScan, at: number): ParsedBlock | null {
  const [head = '', rule = ''] = lines.slice(at, at + 2);
  if (!head.includes('|') || !/^[\s|:-]+$/.test(rule) || !rule.includes('-')) return null;
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? '').includes('|')) end += 1;
  return { block: { kind: 'table', head: cells(head), rows: lines.slice(at + 2, end).map(cells) }, end };
}

/** Pipes inside code and escaped pipes do not separate cells. */
function cells(line: string): string[] {
  const found: string[] = [];
  let cell = '';
  let inCode = false;
  const text = line.trim().replace(/^\|/, '');
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\' && text.charAt(at + 1) === '|') {
      cell += '|';
      at += 1;
    } else if (char === '|' && !inCode) {
      found.push(cell.trim());
      cell = '';
    } else {
      if (char === '`') inCode = !inCode;
      cell += char;
    }
  }
  return cell.trim() === '' ? found : [...found, cell.trim()];
}

function nestedAt(scan: BlockScan, at: number): ParsedBlock | null {
  if (scan.level >= MAX_LEVELS) return null;
  return quoteAt(scan, at) ?? listAt(scan, at);
}

function quoteAt({ lines, from, level }: BlockScan, at: number): ParsedBlock | null {
  let end = at;
  while (end < lines.length && /^ {0,3}>/.test(lines[end] ?? '')) end += 1;
  if (end === at) return null;
  const inside = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ''));
  return { block: { kind: 'quote', blocks: blocksOf({ lines: inside, from: from + at, level: level + 1 }) }, end };
}

const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|\t|$)/;

function listAt({ lines, from, level }: BlockScan, at: number): ParsedBlock | null {
  const first = ITEM.exec(lines[at] ?? '')?.[2];
  if (first === undefined) return null;
  const isOrdered = /\d/.test(first);
  const items: Block[][] = [];
  let end = at;
  while (end < lines.length) {
    const opened = ITEM.exec(lines[end] ?? '');
    if (opened === null || /\d/.test(opened[2] ?? '') !== isOrdered) break;
    const width = opened[0].length;
    const next = itemEnd(lines, end + 1, width);
    const inside = [
      (lines[end] ?? '').slice(width),
      ...lines.slice(end + 1, next).map((line) => unindent(line, width)),
    ];
    items.push(blocksOf({ lines: inside, from: from + end, level: level + 1 }));
    end = next;
  }
  return { block: { kind: 'list', start: isOrdered ? Number.parseInt(first, 10) : null, items }, end };
}

/** An item continues across blank lines followed by indented ones, and across lines that do not start another block. */
function itemEnd(lines: readonly string[], from: number, width: number): number {
  let end = from;
  while (end < lines.length) {
    const line = lines[end] ?? '';
    if (isBlank(line)) {
      const next = lines[end + 1] ?? '';
      if (isBlank(next) || indentOf(next) < Math.min(width, 2)) return ITEM.test(next) ? end + 1 : end;
    } else if (indentOf(line) < Math.min(width, 2) && (ITEM.test(line) || startsOtherBlock(line))) return end;
    end += 1;
  }
  return end;
}

function startsOtherBlock(line: string): boolean {
  return /^ {0,3}(?:#{1,6}[ \t]|`{3}|~{3}|>|\|)/.test(line);
}

function paragraphAt({ lines, level }: BlockScan, at: number): ParsedBlock {
  let end = at + 1;
  while (end < lines.length) {
    const line = lines[end] ?? '';
    if (isBlank(line) || startsOtherBlock(line) || (level < MAX_LEVELS && ITEM.test(line))) break;
    end += 1;
  }
  return { block: { kind: 'paragraph', text: lines.slice(at, end).join('\n').trim() }, end };
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function unindent(line: string, width: number): string {
  return line.slice(Math.min(width, indentOf(line)));
}
