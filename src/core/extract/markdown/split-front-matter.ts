// The plain values of front matter: YAML between `---` lines or TOML between `+++` lines at the start of a page.

import { frontMatterEnd } from '../../markdown/front-matter-end.ts';
import { isRecord } from '../data/json-fields.ts';
import { parseYaml } from '../data/parse-yaml.ts';

export interface FrontMatter {
  /** Top-level scalars, keys in lower case. */
  readonly values: ReadonlyMap<string, string>;
  /** The text after the front matter; the whole text if there is none. */
  readonly body: string;
}

const MAX_VALUE_CHARS = 2000;

export function splitFrontMatter(text: string): FrontMatter {
  const end = frontMatterEnd(text);
  if (end === 0) return { values: new Map(), body: text };
  const lines = text.slice(0, end).trimEnd().split('\n').slice(1, -1);
  return { values: scalarsOf(lines, text.startsWith('---') ? ':' : '='), body: text.slice(end) };
}

function scalarsOf(lines: readonly string[], separator: ':' | '='): ReadonlyMap<string, string> {
  const parsed = separator === ':' ? parseYaml(lines.join('\n'), 'text') : undefined;
  // Generators that do not quote write `title: One: two`, which is not valid.
  const entries = isRecord(parsed) ? Object.entries(parsed) : lines.map((line) => scalarAt(line, separator));
  const values = new Map<string, string>();
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    if (typeof value === 'string' && value !== '' && !values.has(key)) values.set(key, value.slice(0, MAX_VALUE_CHARS));
  }
  return values;
}

/** The scalar on its own line; empty for a list, map, block, anchor, alias or tag. */
function scalarAt(line: string, separator: string): readonly [key: string, value: string] {
  const at = line.indexOf(separator);
  if (at < 1 || /^[\s#-]/.test(line)) return ['', ''];
  const key = unquote(line.slice(0, at).trim());
  const value = line.slice(at + 1).trim();
  if (/^[[{&*!|>]/.test(value)) return [key, ''];
  if (/^["']/.test(value)) return [key, unquote(value)];
  const comment = value.indexOf(' #');
  return [key, (comment === -1 ? value : value.slice(0, comment)).trim()];
}

function unquote(text: string): string {
  const quote = text[0];
  if ((quote !== '"' && quote !== "'") || text.length < 2 || !text.endsWith(quote)) return text;
  const inner = text.slice(1, -1);
  return quote === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'");
}
