// Text of roff as HTML: fonts, special characters and strings.

import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';
import { PRESET_STRINGS } from './roff-lines.ts';

export type Strings = ReadonlyMap<string, string>;

const SPECIAL: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bu: '•',
    co: '©',
    rg: '®',
    tm: '™',
    em: '—',
    en: '–',
    hy: '-',
    aq: "'",
    dq: '"',
    lq: '“',
    rq: '”',
    oq: '‘',
    cq: '’',
    bv: '|',
    ba: '|',
    ti: '~',
    ha: '^',
    ga: '`',
    aa: '´',
    rs: '\\',
    sl: '/',
    at: '@',
    sh: '#',
    Do: '$',
    de: '°',
    mu: '×',
    di: '÷',
    '+-': '±',
    '->': '→',
    '<-': '←',
    '<=': '≤',
    '>=': '≥',
    '!=': '≠',
    '==': '≡',
    '~=': '≈',
    if: '∞',
    mc: 'µ',
    ss: 'ß',
    'o"': 'ö',
    'a"': 'ä',
    'u"': 'ü',
    ':o': 'ö',
    ':a': 'ä',
    ':u': 'ü',
    "'e": 'é',
    '`e': 'è',
    "'a": 'á',
    'o/': 'ø',
    oA: 'Å',
    oa: 'å',
    lB: '[',
    rB: ']',
    lC: '{',
    rC: '}',
    la: '⟨',
    ra: '⟩',
    sc: '§',
    dg: '†',
    dd: '‡',
    Fo: '«',
    Fc: '»',
    pl: '+',
    mi: '-',
    eq: '=',
    '**': '*',
    '*W': '',
    '*m': 'μ',
    '*p': 'π',
    '*a': 'α',
    '*b': 'β',
    '12': '½',
    '14': '¼',
    '34': '¾',
    'r!': '¡',
    'r?': '¿',
    ',c': 'ç',
    Po: '£',
    Eu: '€',
    ct: '¢',
  }),
);

const TAGS: Readonly<Record<string, string>> = {
  B: 'strong',
  I: 'em',
  '2': 'em',
  '3': 'strong',
  C: 'code',
  CW: 'code',
  CR: 'code',
  CB: 'code',
  BI: 'strong',
  '4': 'strong',
  V: 'code',
};
const ESCAPE =
  /\\(?:f(?:\((..)|\[([^\]]{0,20})\]|(.))|\*(?:\((..)|\[([^\]]{0,60})\]|(.))|\((..)|\[([^\]]{1,60})\]|s(?:[+-]?\d{1,2}|\([+-]?\d\d|\[[^\]]{0,6}\])|[nFgkmMVY](?:\((?:..)|\[[^\]]{0,60}\]|.)|[hvwlLDoXxbNAZRSCH]'[^'\n]{0,200}'|([^]))/g;

const MAX_STRING_DEPTH = 4;

/** `initial` is the font of the whole text: `B`, `I` or `R`. */
export function roffHtml(text: string, strings: Strings, initial = 'R'): string {
  const run = createRun(initial);
  write(text, strings, run, 0);
  return run.end();
}

/** The text without fonts, for code. */
export function roffPlain(text: string, strings: Strings): string {
  const parts: string[] = [];
  write(text, strings, { text: (part) => parts.push(part), font: () => undefined, end: () => '' }, 0);
  return parts.join('');
}

interface Run {
  text(part: string): void;
  font(name: string): void;
  end(): string;
}

function createRun(initial: string): Run {
  const parts: string[] = [];
  let font = initial;
  let previous = initial;
  let open: string | null = null;
  const switchTo = (tag: string | null): void => {
    if (tag === open) return;
    if (open !== null) parts.push(`</${open}>`);
    if (tag !== null) parts.push(`<${tag}>`);
    open = tag;
  };
  return {
    text(part) {
      if (part === '') return;
      switchTo(part.trim() === '' ? open : (TAGS[font] ?? null));
      parts.push(escapeHtml(part));
    },
    font(name) {
      const next = name === 'P' || name === '' ? previous : name;
      previous = font;
      font = next;
    },
    end() {
      switchTo(null);
      return parts.join('');
    },
  };
}

function write(text: string, strings: Strings, run: Run, depth: number): void {
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    run.text(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [whole, ...names] = match;
    const name = names.find((part) => part !== undefined);
    if (whole.startsWith('\\f')) run.font(name ?? '');
    else if (whole.startsWith('\\*')) {
      if (depth < MAX_STRING_DEPTH) write(stringOf(name ?? '', strings), strings, run, depth + 1);
    } else if (name !== undefined) run.text(names.at(-1) === undefined ? namedCharacter(name) : escapedCharacter(name));
  }
  run.text(text.slice(from));
}

function stringOf(name: string, strings: Strings): string {
  return PRESET_STRINGS.get(name) ?? strings.get(name) ?? '';
}

function namedCharacter(name: string): string {
  const [, hex] = /^u([\dA-F]{4,6})/.exec(name) ?? [];
  const point = hex === undefined ? Number.NaN : Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : (SPECIAL.get(name) ?? '');
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['e', '\\'],
  ['E', '\\'],
  [' ', ' '],
  ['~', ' '],
  ['0', ' '],
  ['t', '\t'],
]);

/** One character after a backslash. Thin spaces, break points and marks of the typesetter are nothing. */
function escapedCharacter(character: string): string {
  return ESCAPED.get(character) ?? (/[&|^c%:/,!?dupzra{}\n)]/.test(character) ? '' : character);
}
