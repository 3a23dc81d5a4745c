// Converts a JSX literal to a Markdown list. Components such as property tables carry their text in a literal,
// `content={[{ name: 'model', … }]}`; its objects become list items. Nothing is evaluated.

interface Row {
  readonly depth: number;
  readonly fields: Map<string, string>;
  isWritten: boolean;
}

const TOKEN =
  /[{}[\]]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|[A-Za-z_$][\w$]*(?=\s{0,20}:)|[A-Za-z_$][\w$.]*|-?\d[\w.]*/g;
const NAMES = ['name', 'title', 'label', 'prop', 'parameter', 'param', 'key', 'property'];
const TEXTS = ['description', 'summary', 'text', 'content', 'desc'];
const MAX_DEPTH = 4;

/** Markdown list items, nested objects indented; empty if no object has a name or a text. */
export function jsxLiteralList(literal: string): string {
  const lines: string[] = [];
  const rows: Row[] = [];
  let key = '';
  for (const found of literal.matchAll(TOKEN)) {
    const token = found[0];
    if (token === '{') {
      writeRow(rows.at(-1), lines);
      rows.push({ depth: rows.filter(({ fields }) => fields.size > 0).length, fields: new Map(), isWritten: false });
      key = '';
    } else if (token === '}') {
      writeRow(rows.pop(), lines);
    } else if (token !== '[' && token !== ']') {
      const isKey =
        key === '' && /^\s*:/.test(literal.slice(found.index + token.length, found.index + token.length + 21));
      if (!isKey) rows.at(-1)?.fields.set(key, valueOf(token));
      key = isKey ? valueOf(token) : '';
    } else {
      key = '';
    }
    if (rows.length > 64) return '';
  }
  return lines.join('\n');
}

function writeRow(row: Row | undefined, lines: string[]): void {
  if (row === undefined || row.isWritten) return;
  row.isWritten = true;
  const description = first(row.fields, TEXTS);
  const named = first(row.fields, NAMES);
  const name = named === '' && description === '' ? (row.fields.get('type') ?? '') : named;
  if (name === '' && description === '') return;
  const notes = notesOf(row.fields, name);
  const head = [name === '' ? '' : codeSpan(name), notes === '' ? '' : `(${notes})`]
    .filter((part) => part !== '')
    .join(' ');
  const text = [head, description].filter((part) => part !== '').join(': ');
  lines.push(`${'  '.repeat(Math.min(row.depth, MAX_DEPTH))}- ${text}`);
}

function notesOf(fields: ReadonlyMap<string, string>, name: string): string {
  const type = fields.get('type') ?? '';
  const fallback = fields.get('default') ?? fields.get('defaultValue') ?? '';
  const notes = [
    type === '' || type === name ? '' : codeSpan(type),
    isTrue(fields, 'required') ? 'required' : '',
    isOptional(fields) ? 'optional' : '',
    fallback === '' ? '' : `default ${codeSpan(fallback)}`,
  ];
  return notes.filter((note) => note !== '').join(', ');
}

function isTrue(fields: ReadonlyMap<string, string>, name: string): boolean {
  return fields.get(name) === 'true' || fields.get(`is${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`) === 'true';
}

function isOptional(fields: ReadonlyMap<string, string>): boolean {
  return isTrue(fields, 'optional') || fields.get('required') === 'false';
}

function first(fields: ReadonlyMap<string, string>, names: readonly string[]): string {
  return names.map((name) => fields.get(name)).find((value) => value !== undefined && value !== '') ?? '';
}

function valueOf(token: string): string {
  const quote = token[0];
  if (quote !== '"' && quote !== "'" && quote !== '`') return token;
  return token
    .slice(1, -1)
    .replace(/\\(["'`\\])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

function codeSpan(text: string): string {
  return text.includes('`') ? text : `\`${text}\``;
}
