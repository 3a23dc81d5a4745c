// Cells of a tab-separated line: any text goes in and comes out again, on one line.

export function writeLine(cells: ReadonlyArray<string | number | null>): string {
  const written = cells.map((cell) => (cell === null ? '' : escaped(String(cell))));
  while (written.at(-1) === '') written.pop();
  return `${written.join('\t')}\n`;
}

export function readLine(line: string): string[] {
  return line.split('\t').map((cell) => (cell.includes('\\') ? cell.replaceAll(/\\(.)/g, unescape) : cell));
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const MEANINGS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

function escaped(cell: string): string {
  return /[\\\t\n\r]/.test(cell) ? cell.replaceAll(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char) : cell;
}

function unescape(_: string, char: string): string {
  return MEANINGS[char] ?? char;
}
