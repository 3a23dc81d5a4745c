// One line of Markdown, by offsets: the scanner never copies text.

export interface Line {
  readonly start: number;
  /** Exclusive, without the line feed. */
  readonly end: number;
  /** Where the next line starts. */
  readonly next: number;
  /** Columns before the first visible character; a tab goes to the next multiple of four. */
  readonly indent: number;
  /** Offset of the first visible character; `end` on a blank line. */
  readonly at: number;
}

const TAB = 0x09;
const SPACE = 0x20;

export function readLine(text: string, start: number): Line {
  const feed = text.indexOf('\n', start);
  const end = feed === -1 ? text.length : feed;
  let at = start;
  let indent = 0;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE) indent += 1;
    else if (code === TAB) indent += 4 - (indent % 4);
    else break;
  }
  return { start, end, next: feed === -1 ? end : feed + 1, indent, at };
}

export function isBlank(line: Line): boolean {
  return line.at === line.end;
}

/** Offset of the first line that is not blank, from a line's start on. */
export function skipBlankLines(text: string, start: number): number {
  let from = start;
  while (from < text.length) {
    const line = readLine(text, from);
    if (!isBlank(line)) return from;
    from = line.next;
  }
  return from;
}
