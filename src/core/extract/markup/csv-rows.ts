// The rows of comma-separated values.

/** One row a line; a field in double quotes may contain anything, line ends included. */
export function csvRows(text: string, delimiter: string): ReadonlyArray<readonly string[]> {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = text[at] === '"';
    const field = quoted ? quotedField(text, at) : plainField(text, at, delimiter);
    row.push(field.value);
    at = field.end;
    if (text[at] === delimiter) at += 1;
    else {
      while (at < text.length && text[at] !== '\n') at += 1;
      at += 1;
      rows.push(row);
      row = [];
    }
    while (text[at] === ' ') at += 1;
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((cells) => cells.some((cell) => cell !== ''));
}

interface Field {
  readonly value: string;
  readonly end: number;
}

function quotedField(text: string, at: number): Field {
  let end = at + 1;
  let value = '';
  for (;;) {
    const close = text.indexOf('"', end);
    if (close === -1) return { value: value + text.slice(end), end: text.length };
    value += text.slice(end, close);
    if (text[close + 1] !== '"') return { value: value.trim(), end: close + 1 };
    value += '"';
    end = close + 2;
  }
}

function plainField(text: string, at: number, delimiter: string): Field {
  let end = at;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
  return { value: text.slice(at, end).trim(), end };
}
