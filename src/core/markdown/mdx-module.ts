// The module lines of MDX: import and export statements, which start after a blank line and end with their brackets.

const IMPORT = /^import\s+(?:[\w*{}\s,$]{1,2000}\sfrom\s*)?["'][^"']{1,500}["'];?\s*$/;
const IMPORT_START = /^import\s*(?:[\w$*]+\s*,?\s*)?\{?[\w\s,$]{0,500}$/;
const EXPORT = /^export\s+(?:default|const|let|var|function|async|class|type|interface|\{|\*)/;
const MAX_LINE_CHARS = 3000;
const MAX_MODULE_LINES = 500;
/** How many lines of a text may be searched in vain for the end of a statement. */
export const MAX_LOOKAHEAD_LINES = 20_000;

/** Offset after the statement that starts at this line; 0 if none does. One without an end is a single line. */
export function moduleEnd(text: string, start: number, budget: { lookaheadLines: number }): number {
  const first = text.charCodeAt(start);
  if (first !== 0x69 && first !== 0x65) return 0;
  if (!startsModule(lineAt(text, start))) return 0;
  let depth = 0;
  let from = start;
  const maxLines = Math.min(MAX_MODULE_LINES, budget.lookaheadLines);
  for (let lines = 0; from < text.length && lines < maxLines; lines += 1) {
    const feed = text.indexOf('\n', from);
    const end = feed === -1 ? text.length : feed;
    depth += bracketBalance(text.slice(from, end));
    from = Math.min(end + 1, text.length);
    const next = lineAt(text, from);
    if (depth <= 0 && (next.trim() === '' || startsModule(next))) return from;
  }
  budget.lookaheadLines -= maxLines;
  const feed = text.indexOf('\n', start);
  return feed === -1 ? text.length : feed + 1;
}

/** Whether a line is a whole import statement. */
export function isImport(line: string): boolean {
  return IMPORT.test(line.slice(0, MAX_LINE_CHARS));
}

function startsModule(line: string): boolean {
  return IMPORT.test(line) || EXPORT.test(line) || (IMPORT_START.test(line) && /[{,]\s*$/.test(line));
}

function lineAt(text: string, start: number): string {
  const feed = text.indexOf('\n', start);
  return text.slice(start, Math.min(feed === -1 ? text.length : feed, start + MAX_LINE_CHARS));
}

function bracketBalance(line: string): number {
  let balance = 0;
  for (const [bracket] of line.matchAll(/[{}()[\]]/g)) balance += '{(['.includes(bracket) ? 1 : -1;
  return balance;
}
