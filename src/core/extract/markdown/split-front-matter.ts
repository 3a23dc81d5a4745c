// Front matter: the few plain values a document needs, read line by line. There is no YAML here on purpose: no anchors
// that multiply, no tags that run, no keys that reach a prototype.

export interface FrontMatter {
  /** Top-level scalars, keys in lower case. */
  readonly values: ReadonlyMap<string, string>;
  /** The text after it; the whole text where there is none. */
  readonly body: string;
}

const MAX_CHARACTERS = 64_000;
const MAX_VALUE = 2000;

export function splitFrontMatter(text: string): FrontMatter {
  const mark = /^(?:---|\+\+\+)[ \t]*\n/.exec(text)?.[0];
  if (mark === undefined) return { values: new Map(), body: text };
  const fence = mark.slice(0, 3);
  const head = text.slice(mark.length, mark.length + MAX_CHARACTERS);
  const lines = head.split('\n');
  const close = lines.findIndex((line) => line.trimEnd() === fence || (fence === '---' && line.trimEnd() === '...'));
  const inside = close === -1 ? [] : lines.slice(0, close);
  // A rule at the top of a document is no front matter.
  if (close === -1 || (inside.length > 0 && !inside.some((line) => /^\s*[\w"'-]+\s*[:=]/.test(line)))) {
    return { values: new Map(), body: text };
  }
  const length = inside.reduce((sum, line) => sum + line.length + 1, 0) + (lines[close] ?? '').length;
  return {
    values: scalarsOf(inside, fence === '---' ? ':' : '='),
    body: text.slice(mark.length + length).replace(/^\n/, ''),
  };
}

function scalarsOf(lines: readonly string[], separator: ':' | '='): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const at = line.indexOf(separator);
    if (at < 1 || /^[\s#-]/.test(line)) continue;
    const key = unquoted(line.slice(0, at).trim()).toLowerCase();
    const value = line.slice(at + 1).trim();
    const text = /^[>|][+-]?$/.test(value) ? folded(lines, index + 1) : scalar(value);
    if (text !== '' && !values.has(key)) values.set(key, text.slice(0, MAX_VALUE));
  }
  return values;
}

/** A list, a map, an anchor, an alias or a tag is not a scalar and says nothing here. */
function scalar(value: string): string {
  if (/^[[{&*!]/.test(value)) return '';
  if (/^["']/.test(value)) return unquoted(value);
  const comment = value.indexOf(' #');
  return (comment === -1 ? value : value.slice(0, comment)).trim();
}

function unquoted(text: string): string {
  const quote = text[0];
  if ((quote !== '"' && quote !== "'") || text.length < 2 || !text.endsWith(quote)) return text;
  const inner = text.slice(1, -1);
  return quote === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'");
}

function folded(lines: readonly string[], from: number): string {
  const parts: string[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() !== '' && !/^\s/.test(line)) break;
    parts.push(line.trim());
  }
  return parts.join(' ').trim();
}
