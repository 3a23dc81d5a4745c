// Reads the plain values of front matter, line by line. Deliberately not a YAML parser: no anchors that multiply, no tags
// that execute, no keys that reach a prototype.

export interface FrontMatter {
  /** Top-level scalars, keys in lower case. */
  readonly values: ReadonlyMap<string, string>;
  /** The text after the front matter; the whole text if there is none. */
  readonly body: string;
}

const MAX_FRONT_MATTER_CHARS = 64_000;
const MAX_VALUE_CHARS = 2000;

export function splitFrontMatter(text: string): FrontMatter {
  const marker = /^(?:---|\+\+\+)[ \t]*\n/.exec(text)?.[0];
  if (marker === undefined) return { values: new Map(), body: text };
  const fence = marker.slice(0, 3);
  const head = text.slice(marker.length, marker.length + MAX_FRONT_MATTER_CHARS);
  const lines = head.split('\n');
  const close = lines.findIndex((line) => line.trimEnd() === fence || (fence === '---' && line.trimEnd() === '...'));
  const inside = close === -1 ? [] : lines.slice(0, close);
  // A thematic break at the top of a document is not front matter.
  if (close === -1 || (inside.length > 0 && !inside.some((line) => /^\s*[\w"'-]+\s*[:=]/.test(line)))) {
    return { values: new Map(), body: text };
  }
  const length = inside.reduce((sum, line) => sum + line.length + 1, 0) + (lines[close] ?? '').length;
  return {
    values: scalarsOf(inside, fence === '---' ? ':' : '='),
    body: text.slice(marker.length + length).replace(/^\n/, ''),
  };
}

function scalarsOf(lines: readonly string[], separator: ':' | '='): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const at = line.indexOf(separator);
    if (at < 1 || /^[\s#-]/.test(line)) continue;
    const key = unquote(line.slice(0, at).trim()).toLowerCase();
    const value = line.slice(at + 1).trim();
    const text = /^[>|][+-]?$/.test(value) ? foldedScalar(lines, index + 1) : scalar(value);
    if (text !== '' && !values.has(key)) values.set(key, text.slice(0, MAX_VALUE_CHARS));
  }
  return values;
}

/** A list, map, anchor, alias or tag is not a scalar and is ignored. */
function scalar(value: string): string {
  if (/^[[{&*!]/.test(value)) return '';
  if (/^["']/.test(value)) return unquote(value);
  const comment = value.indexOf(' #');
  return (comment === -1 ? value : value.slice(0, comment)).trim();
}

function unquote(text: string): string {
  const quote = text[0];
  if ((quote !== '"' && quote !== "'") || text.length < 2 || !text.endsWith(quote)) return text;
  const inner = text.slice(1, -1);
  return quote === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'");
}

function foldedScalar(lines: readonly string[], from: number): string {
  const parts: string[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() !== '' && !/^\s/.test(line)) break;
    parts.push(line.trim());
  }
  return parts.join(' ').trim();
}
