// The inline markup of AsciiDoc as HTML.

import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';
import type { AsciidocContext } from './asciidoc-context.ts';

type InlineContext = Pick<AsciidocContext, 'attributes' | 'titles' | 'document'>;

interface InlineRule {
  /** Sticky, and bounded, so that marks without an end cost little. */
  readonly pattern: RegExp;
  /** Only after a character that is not part of a word. */
  readonly isConstrained: boolean;
  /** Only in files with the older quotes. */
  readonly isOld?: boolean;
  readonly write: (match: RegExpExecArray, context: InlineContext, depth: number) => string;
}

const MAX_DEPTH = 5;
const constrained = (mark: string): RegExp =>
  new RegExp(String.raw`${mark}(?=\S)((?:[^${mark}\n]|${mark}(?=\w)|\n(?!\n)){0,1500}?\S)${mark}(?!\w)`, 'y');
const unconstrained = (mark: string): RegExp => new RegExp(String.raw`${mark}{2}([^]{1,1500}?)${mark}{2}`, 'y');

const RULES: readonly InlineRule[] = [
  { pattern: /\+\+\+([^]{0,1500}?)\+\+\+/y, isConstrained: false, write: ([, text = '']) => escapeHtml(text) },
  { pattern: /\$\$([^]{1,1500}?)\$\$/y, isConstrained: false, write: ([, text = '']) => escapeHtml(text) },
  { pattern: /pass:[a-z,]*\[([^\]]{0,1500})\]/y, isConstrained: true, write: ([, text = '']) => escapeHtml(text) },
  { pattern: /``([^`]{1,1500})``/y, isConstrained: false, write: code },
  {
    pattern: /`\+([^]{1,1500}?)\+`/y,
    isConstrained: false,
    write: ([, text = '']) => `<code>${escapeHtml(text)}</code>`,
  },
  { pattern: /`(?=\S)([^`]{0,1500}\S|\S)`(?!\w)/y, isConstrained: true, write: code },
  { pattern: /'`([^`']{1,500})`'/y, isConstrained: false, write: wrap('‘', '’') },
  { pattern: /"`([^`"]{1,500})`"/y, isConstrained: false, write: wrap('“', '”') },
  { pattern: unconstrained(String.raw`\+`), isConstrained: false, isOld: true, write: code },
  { pattern: /\+(?=\S)([^+\n]{0,1500}?\S)\+(?!\w)/y, isConstrained: true, isOld: true, write: code },
  { pattern: unconstrained(String.raw`\*`), isConstrained: false, write: wrap('<strong>', '</strong>') },
  { pattern: constrained(String.raw`\*`), isConstrained: true, write: wrap('<strong>', '</strong>') },
  { pattern: unconstrained('_'), isConstrained: false, write: wrap('<em>', '</em>') },
  { pattern: constrained('_'), isConstrained: true, write: wrap('<em>', '</em>') },
  { pattern: constrained("'"), isConstrained: true, isOld: true, write: wrap('<em>', '</em>') },
  { pattern: /(?:\[[^\]\n]{0,100}\])?##([^]{1,500}?)##/y, isConstrained: false, write: wrap('', '') },
  { pattern: /(?:\[[^\]\n]{0,100}\])?#(?=\S)([^#\n]{0,500}?\S)#(?!\w)/y, isConstrained: true, write: wrap('', '') },
  { pattern: /\^([^\s^]{1,200})\^/y, isConstrained: false, write: wrap('<sup>', '</sup>') },
  { pattern: /~([^\s~]{1,200})~/y, isConstrained: false, write: wrap('<sub>', '</sub>') },
  {
    pattern: /<<([^,>]{1,300})(?:,([^>]{0,500}))?>>/y,
    isConstrained: false,
    write: ([, id = '', text], context) => crossReference(id, text, context),
  },
  {
    pattern: /xref:([^[\s]{1,500})\[([^\]]{0,500})\]/y,
    isConstrained: true,
    write: ([, id = '', text], context) => crossReference(id, text, context),
  },
  { pattern: /(?:link|mailto):([^[\s]{0,2000})\[([^\]]{0,1000})\]/y, isConstrained: true, write: linked },
  { pattern: /((?:https?|ftp|irc):\/\/[^\s[\]<>"]{1,2000})\[([^\]]{0,1000})\]/y, isConstrained: true, write: linked },
  { pattern: /(?:https?|ftp):\/\/[^\s[\]<>"'`]{1,2000}/y, isConstrained: true, write: bareLink },
  {
    pattern: /linkgit:([\w.-]{1,100})\[(\w{0,5})\]/y,
    isConstrained: true,
    write: ([, name = '', part = '']) => `<strong>${name}(${part})</strong>`,
  },
  { pattern: /(?:kbd|btn|menu):[^[\s]{0,100}\[([^\]]{0,300})\]/y, isConstrained: true, write: code },
  {
    pattern: /image:([^[\s:][^[\s]{0,1000})\[([^\]]{0,500})\]/y,
    isConstrained: true,
    write: ([, src = '', alt = '']) => `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt.split(',')[0] ?? '')}">`,
  },
  { pattern: /footnote(?:ref)?:[\w-]{0,100}\[([^\]]{0,2000})\]/y, isConstrained: false, write: wrap(' (', ')') },
  {
    pattern: /(?:anchor:[\w-]{1,100}\[[^\]]{0,100}\]|\[\[[^\]]{1,200}\]\]|indexterm2?:\[[^\]]{0,300}\])/y,
    isConstrained: false,
    write: () => '',
  },
  { pattern: /\(\(\([^()]{1,300}\)\)\)/y, isConstrained: false, write: () => '' },
  { pattern: /\(\(([^()]{1,300})\)\)/y, isConstrained: false, write: wrap('', '') },
];

const PLAIN = /[A-Za-z0-9]+|[\s.,;?!/=@%&>)\]}]+/y;

export function inlineAsciidoc(source: string, context: InlineContext): string {
  const text = replaceAttributes(source, context.attributes).replace(/ \+$/gm, LINE_BREAK);
  return inlineAt(text, context, 0)
    .replaceAll(LINE_BREAK, '<br>')
    .replace(/(^| )--(?= |$)/gm, '$1—');
}

/** A character that no text contains. */
const LINE_BREAK = '\u0000';

function inlineAt(text: string, context: InlineContext, depth: number): string {
  let out = '';
  let at = 0;
  while (at < text.length) {
    const found = text[at] === '\\' ? escapedAt(text, at, context) : ruleAt(text, at, context, depth);
    const end = found === null ? endOfPlain(text, at) : at + found.length;
    out += found === null ? escapeHtml(text.slice(at, end)) : found.html;
    at = end;
  }
  return out;
}

interface Found {
  readonly html: string;
  readonly length: number;
}

/** A mark after a backslash is not markup, and the backslash is not text. */
function escapedAt(text: string, at: number, context: InlineContext): Found | null {
  const next = text[at + 1] ?? '';
  const isMark = /[*_`+#^~<{']/.test(next) || (/\w/.test(next) && ruleAt(text, at + 1, context, MAX_DEPTH) !== null);
  return isMark ? { html: escapeHtml(next), length: 2 } : null;
}

function ruleAt(text: string, at: number, context: InlineContext, depth: number): Found | null {
  const isWordBefore = /[\w]/.test(text[at - 1] ?? '');
  for (const { pattern, isConstrained, isOld = false, write } of RULES) {
    if ((isConstrained && isWordBefore) || (isOld && !context.document.usesOldQuotes)) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { html: write(match, context, depth), length: match[0].length };
  }
  return null;
}

function endOfPlain(text: string, at: number): number {
  PLAIN.lastIndex = at;
  const match = PLAIN.exec(text);
  // Only the first letter of a word can begin a macro.
  return at + (match === null ? 1 : match[0].length);
}

function nested(text: string, context: InlineContext, depth: number): string {
  return depth >= MAX_DEPTH ? escapeHtml(text) : inlineAt(text, context, depth + 1);
}

function wrap(open: string, close: string): InlineRule['write'] {
  return ([, text = ''], context, depth) => `${open}${nested(text, context, depth)}${close}`;
}

function code([, text = '']: RegExpExecArray): string {
  return `<code>${escapeHtml(text.replace(/^\+|\+$/g, ''))}</code>`;
}

function linked([, target = '', label = '']: RegExpExecArray, context: InlineContext, depth: number): string {
  const text = label
    .replace(/,\s*(?:window|role|opts|options)=.*$/, '')
    .replace(/\^$/, '')
    .replace(/^"|"$/g, '');
  const html = text === '' ? escapeHtml(target.replace(/^mailto:/, '')) : nested(text, context, depth);
  return `<a href="${escapeHtml(target.replaceAll('++', ''))}">${html}</a>`;
}

function bareLink([raw]: RegExpExecArray): string {
  const url = raw.replace(/[.,;:!?)*_]{1,20}$/, '');
  return `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>${escapeHtml(raw.slice(url.length))}`;
}

function crossReference(id: string, text: string | undefined, context: InlineContext): string {
  const label = text?.trim() || context.titles.get(id.replace(/^#/, '')) || id.replace(/^#|#$/g, '');
  const isFile = /\.(?:adoc|asciidoc|asc|html)(?:#|$)/.test(id);
  const html = nested(label, context, MAX_DEPTH - 1);
  return isFile ? `<a href="${escapeHtml(id.replace(/#$/, ''))}">${html}</a>` : html;
}

const CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    nbsp: ' ',
    sp: ' ',
    empty: '',
    blank: '',
    zwsp: '',
    wj: '',
    plus: '+',
    lt: '<',
    gt: '>',
    amp: '&',
    asterisk: '*',
    tilde: '~',
    caret: '^',
    startsb: '[',
    endsb: ']',
    vbar: '|',
    backtick: '`',
    apos: "'",
    quot: '"',
    'two-colons': '::',
    'two-semicolons': ';;',
    litdd: '--',
    backslash: '\\',
    cpp: 'C++',
    brvbar: '¦',
    deg: '°',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
  }),
);

/** An unknown attribute stays as written. A value may refer to another one, which is not replaced again. */
export function replaceAttributes(text: string, attributes: ReadonlyMap<string, string>): string {
  if (!text.includes('{')) return text;
  return text.replace(/(\\?)\{([\w-]{1,100})\}/g, (whole, escape: string, name: string) =>
    escape === ''
      ? (attributes.get(name.toLowerCase()) ?? CHARACTERS.get(name.toLowerCase()) ?? whole)
      : whole.slice(1),
  );
}
