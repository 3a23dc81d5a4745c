// Lines of text formats in which indentation is structure.

/** Deeper nesting is kept as text: it is a trap, and recursion must end. */
export const MAX_NESTING = 32;

export function splitLines(text: string): readonly string[] {
  return text.split('\n').map((line) => expandTabs(line.trimEnd()));
}

const TAB_WIDTH = 8;

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let out = '';
  for (const part of line.split(/(\t)/)) out += part === '\t' ? ' '.repeat(TAB_WIDTH - (out.length % TAB_WIDTH)) : part;
  return out;
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** Removes the smallest indentation of the lines, and blank lines at both ends. */
export function dedent(lines: readonly string[]): readonly string[] {
  let start = 0;
  let end = lines.length;
  while (start < end && isBlank(lines[start])) start += 1;
  while (end > start && isBlank(lines[end - 1])) end -= 1;
  const retained = lines.slice(start, end);
  let least = Number.POSITIVE_INFINITY;
  for (const line of retained) if (!isBlank(line)) least = Math.min(least, indentOf(line));
  return least === 0 || retained.length === 0 ? retained : retained.map((line) => line.slice(least));
}

/** The index after the lines from `at` that are blank or indented by at least `indent`. */
export function endOfIndented(lines: readonly string[], at: number, indent: number): number {
  let end = at;
  for (let index = at; index < lines.length; index += 1) {
    const line = lines[index] as string;
    if (isBlank(line)) continue;
    if (indentOf(line) < indent) break;
    end = index + 1;
  }
  return end;
}

/** The index of the first blank line from `at`. */
export function endOfParagraph(lines: readonly string[], at: number): number {
  let end = at;
  while (end < lines.length && !isBlank(lines[end])) end += 1;
  return end;
}
