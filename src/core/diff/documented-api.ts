// The documented API that a reader of a version may depend on: symbols with signatures, settings with defaults, and sections.

import type { OutlineEntry } from '../model/document.ts';
import { pageSections } from '../outline/heading-path.ts';

export interface ComparedPage {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
}

export interface Location {
  readonly path: string;
  readonly anchor: string | null;
}

export interface DocumentedSymbol extends Location {
  readonly symbol: string;
  readonly signature: string;
  readonly body: string;
  readonly isDeprecated: boolean;
  readonly default: string | null;
}

export interface DocumentedSection extends Location {
  readonly headings: readonly string[];
  /** The text without its heading and its subsections. */
  readonly text: string;
}

/** The default of a setting, as a table states it. */
interface StatedDefault extends Location {
  readonly name: string;
  readonly value: string;
}

export interface DocumentedApi {
  /** Symbols by name; one may be defined on several pages. */
  readonly symbols: ReadonlyMap<string, readonly DocumentedSymbol[]>;
  readonly sections: readonly DocumentedSection[];
  readonly defaults: readonly StatedDefault[];
}

export function documentedApi(pages: readonly ComparedPage[]): DocumentedApi {
  const symbols: DocumentedSymbol[] = [];
  const sections: DocumentedSection[] = [];
  const defaults: StatedDefault[] = [];
  for (const { path, title, text, outline } of pages) {
    const lines = text.split('\n');
    const headings = pageSections(title, outline);
    for (const [at, entry] of outline.entries()) {
      const own = lines.slice(entry.line, (outline[at + 1]?.line ?? lines.length + 1) - 1);
      const location = { path, anchor: entry.anchor };
      if (entry.definition !== undefined) symbols.push(...symbolsOf(entry, own, location));
      else sections.push({ ...location, headings: headings[at]?.headings ?? [], text: own.join('\n').trim() });
      defaults.push(...tableDefaults(own, entry.text, location));
    }
  }
  return { symbols: Map.groupBy(symbols, ({ symbol }) => symbol), sections, defaults };
}

const MAX_SIGNATURE_CHARS = 4000;

function symbolsOf(entry: OutlineEntry, own: readonly string[], location: Location): DocumentedSymbol[] {
  const { symbol, others = [] } = entry.definition ?? { symbol: entry.text };
  const { code, body } = splitCode(own);
  const signature = (code === '' ? entry.text : code).slice(0, MAX_SIGNATURE_CHARS);
  const documented = { ...location, signature, body, isDeprecated: isDeprecated(body), default: statedDefault(body) };
  const members = memberLines(own);
  const further = others.map((other): DocumentedSymbol => {
    const item = members.get(other.symbol.slice(other.symbol.lastIndexOf('.') + 1));
    if (item === undefined || !other.symbol.startsWith(`${symbol}.`)) return { ...documented, symbol: other.symbol };
    const [, shown = '', text = ''] = /^- `([^`]*)`:? ?(.*)$/.exec(item) ?? [];
    const about = { signature: shown, body: text, isDeprecated: isDeprecated(text), default: statedDefault(text) };
    return { ...location, ...about, symbol: other.symbol };
  });
  return [{ ...documented, symbol }, ...further];
}

/** The first block of code, and the text around it, without the list of members. */
function splitCode(own: readonly string[]): { readonly code: string; readonly body: string } {
  const from = own.findIndex((line) => line.startsWith('```'));
  const end = from === -1 ? -1 : own.findIndex((line, at) => at > from && line.startsWith('```'));
  const rest = end === -1 ? own : [...own.slice(0, from), ...own.slice(end + 1)];
  const body = rest.filter((line) => !MEMBER.test(line)).join('\n');
  return { code: end === -1 ? '' : own.slice(from + 1, end).join('\n'), body: body.trim() };
}

const MEMBER = /^- `(?:[a-z]+ ){0,4}["']?([\w$]+)/;

function memberLines(own: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    own.flatMap((line) => {
      const name = MEMBER.exec(line)?.[1];
      return name === undefined ? [] : [[name, line] as const];
    }),
  );
}

/** At the beginning of a line, as comments and admonitions have it. */
function isDeprecated(text: string): boolean {
  return /(?:^|\n)[>*_\s]{0,6}deprecated\b/i.test(text);
}

function statedDefault(text: string): string | null {
  const [, value = null] = /\b(?:default|defaults to)(?: value)?(?: is)?:? `([^`\n]{1,100})`/i.exec(text) ?? [];
  return value;
}

const MAX_ROWS = 1000;

/** Rows of tables that have a column for the default. */
function tableDefaults(own: readonly string[], heading: string, location: Location): StatedDefault[] {
  const documented: StatedDefault[] = [];
  let column = -1;
  for (const line of own.filter((one) => one.startsWith('|')).slice(0, MAX_ROWS)) {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
    const named = cells.findIndex((cell) => /^default(?: value)?$/i.test(cell));
    if (named !== -1) column = named;
    else if (column !== -1 && !/^[\s:-]*$/.test(cells.join(''))) {
      const [name = ''] = cells;
      if (name !== '') documented.push({ ...location, name: `${heading}: ${name}`, value: cells[column] ?? '' });
    }
  }
  return documented;
}
