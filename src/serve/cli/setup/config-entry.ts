// Adds an entry to a JSON or TOML file of another program. In JSON every other byte stays: comments, order, indentation.

interface Span {
  readonly from: number;
  readonly to: number;
}

/** `text` with `"key": { "name": value }` in its root object. Null if the text is not a readable object. */
export function withJsonEntry(text: string, [key, name]: readonly [string, string], value: object): string | null {
  if (text.trim() === '') return `${JSON.stringify({ [key]: { [name]: value } }, null, 2)}\n`;
  const root = skipBlanks(text, 0);
  if (text[root] !== '{') return null;
  const group = findValue(text, root, key);
  if (group === null) return insertField(text, root, `"${key}": ${formatIndented({ [name]: value }, 1)}`);
  if (text[group.from] !== '{') return null;
  const own = findValue(text, group.from, name);
  if (own === null) return insertField(text, group.from, `"${name}": ${formatIndented(value, 2)}`, 2);
  return text.slice(0, own.from) + formatIndented(value, 2) + text.slice(own.to);
}

function formatIndented(value: object, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
}

/** Inserts the first field of the object that starts at `open`. */
function insertField(text: string, open: number, field: string, depth = 1): string | null {
  const next = skipBlanks(text, open + 1);
  if (next >= text.length) return null;
  const isEmpty = text[next] === '}';
  const rest = isEmpty ? `\n${'  '.repeat(depth - 1)}${text.slice(next)}` : text.slice(open + 1);
  return `${text.slice(0, open + 1)}\n${'  '.repeat(depth)}${field}${isEmpty ? '' : ','}${rest}`;
}

/** Position of the value of a field; null if the object has no such field. */
function findValue(text: string, open: number, name: string): Span | null {
  let at = skipBlanks(text, open + 1);
  while (at < text.length && text[at] !== '}') {
    const keyEnd = endOfValue(text, at);
    const colon = skipBlanks(text, keyEnd);
    const from = skipBlanks(text, colon + 1);
    const to = endOfValue(text, from);
    if (text.slice(at, keyEnd) === JSON.stringify(name)) return { from, to };
    const comma = skipBlanks(text, to);
    at = text[comma] === ',' ? skipBlanks(text, comma + 1) : comma;
    if (to <= from) return null;
  }
  return null;
}

function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return skipCommentOrString(text, from);
  if (!isOneOf('{[', text[from])) return endOfWord(text, from);
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const after = skipCommentOrString(text, at);
    if (after > at) at = after - 1;
    else if (isOneOf('{[', text[at])) depth += 1;
    else if (isOneOf('}]', text[at]) && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (end < text.length && !/[\s,:}\]]/.test(text[end] ?? '')) end += 1;
  return end;
}

function isOneOf(marks: string, mark: string | undefined): boolean {
  return mark !== undefined && marks.includes(mark);
}

/** End of a string or comment that starts here; the same offset if there is none. */
function skipCommentOrString(text: string, at: number): number {
  if (text[at] === '"') {
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    return end + 1;
  }
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  if (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2);
    return end === -1 ? text.length : end + 2;
  }
  return at;
}

/** Skips blanks and comments. */
function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && /[\s\uFEFF]/.test(text[at] ?? '')) at += 1;
    const after = text[at] === '"' ? at : skipCommentOrString(text, at);
    if (after === at) return at;
    at = after;
  }
}

/** `text` with the table `[key.name]`: replaced if it exists, otherwise appended. */
export function withTomlEntry(
  text: string,
  [key, name]: readonly [string, string],
  value: Readonly<Record<string, unknown>>,
): string {
  const head = `[${key}.${name}]`;
  const { env, ...fields } = value;
  const lines = [head, ...Object.entries(fields).map(([field, one]) => `${field} = ${JSON.stringify(one)}`)];
  if (env !== undefined) lines.push(`env = { ${inline(env as Readonly<Record<string, string>>)} }`);
  const table = `${lines.join('\n')}\n`;
  const old = text.split('\n');
  const first = old.findIndex((line) => line.trim() === head);
  if (first === -1) return text.trim() === '' ? table : `${text.trimEnd()}\n\n${table}`;
  const next = old.findIndex((line, i) => i > first && line.trim().startsWith('['));
  const rest = next === -1 ? '' : `\n${old.slice(next).join('\n')}`;
  return (
    old
      .slice(0, first)
      .map((line) => `${line}\n`)
      .join('') +
    table +
    rest
  );
}

function inline(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ');
}
