// Puts one entry into a JSON file of somebody else and leaves every other byte as it was: comments, order, indentation.

interface Place {
  readonly from: number;
  readonly to: number;
}

/** `text` with `"key": { "name": value }` in its root object. Null where the text is not an object that can be read. */
export function withJsonEntry(text: string, [key, name]: readonly [string, string], value: object): string | null {
  if (text.trim() === '') return `${JSON.stringify({ [key]: { [name]: value } }, null, 2)}\n`;
  const root = skip(text, 0);
  if (text[root] !== '{') return null;
  const group = valueOf(text, root, key);
  if (group === null) return inserted(text, root, `"${key}": ${indented({ [name]: value }, 1)}`);
  if (text[group.from] !== '{') return null;
  const own = valueOf(text, group.from, name);
  if (own === null) return inserted(text, group.from, `"${name}": ${indented(value, 2)}`, 2);
  return text.slice(0, own.from) + indented(value, 2) + text.slice(own.to);
}

function indented(value: object, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
}

/** As the first field of the object that begins at `open`. */
function inserted(text: string, open: number, field: string, depth = 1): string | null {
  const next = skip(text, open + 1);
  if (next >= text.length) return null;
  const isEmpty = text[next] === '}';
  const rest = isEmpty ? `\n${'  '.repeat(depth - 1)}${text.slice(next)}` : text.slice(open + 1);
  return `${text.slice(0, open + 1)}\n${'  '.repeat(depth)}${field}${isEmpty ? '' : ','}${rest}`;
}

/** Where the value of a field stands; null where the object has none of that name. */
function valueOf(text: string, open: number, name: string): Place | null {
  let at = skip(text, open + 1);
  while (at < text.length && text[at] !== '}') {
    const keyEnd = endOfValue(text, at);
    const colon = skip(text, keyEnd);
    const from = skip(text, colon + 1);
    const to = endOfValue(text, from);
    if (text.slice(at, keyEnd) === JSON.stringify(name)) return { from, to };
    const comma = skip(text, to);
    at = text[comma] === ',' ? skip(text, comma + 1) : comma;
    if (to <= from) return null;
  }
  return null;
}

function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return pastCommentOrText(text, from);
  if (!isOneOf('{[', text[from])) return endOfWord(text, from);
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const after = pastCommentOrText(text, at);
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

/** Where a text or a comment that begins here ends; the same place where none does. */
function pastCommentOrText(text: string, at: number): number {
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

/** Over blanks and comments. */
function skip(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && /[\s\uFEFF]/.test(text[at] ?? '')) at += 1;
    const after = text[at] === '"' ? at : pastCommentOrText(text, at);
    if (after === at) return at;
    at = after;
  }
}
