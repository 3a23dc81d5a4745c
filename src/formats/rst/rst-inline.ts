// The inline markup of reStructuredText as HTML.

import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';
import { normalizeName, type RstDefinitions } from './rst-definitions.ts';

interface InlineRule {
  /** Sticky, and bounded, so that marks without an end cost little. */
  readonly pattern: RegExp;
  readonly write: (match: RegExpExecArray, definitions: RstDefinitions, depth: number) => string;
}

const END = String.raw`(?=$|[\s\-.,:;!?\\/'")\]}>’”…—])`;
const BODY = (mark: string): string => String.raw`((?:\\[^]|[^${mark}\\]|${mark}(?!${END})){1,3000}?)`;

/** Parts that substitutions and link texts may nest. */
const MAX_DEPTH = 4;

const RULES: readonly InlineRule[] = [
  { pattern: /``([^]{1,3000}?[^\s])``(?=$|[^\w`])/y, write: ([, text = '']) => code(text) },
  {
    pattern: new RegExp(String.raw`\*\*(?=\S)((?:\\[^]|[^*\\]|\*(?!\*)){1,3000}?)\*\*${END}`, 'y'),
    write: ([, text = ''], definitions, depth) => `<strong>${nested(text, definitions, depth)}</strong>`,
  },
  {
    pattern: new RegExp(String.raw`\*(?=[^\s*])${BODY('\\*')}\*${END}`, 'y'),
    write: ([, text = ''], definitions, depth) => `<em>${nested(text, definitions, depth)}</em>`,
  },
  {
    pattern: new RegExp(String.raw`:([a-zA-Z][\w+.:-]{0,60}):${'`'}${BODY('`')}${'`'}${END}`, 'y'),
    write: ([, role = '', text = ''], definitions) => writeRole(role, text, definitions),
  },
  {
    pattern: new RegExp(String.raw`${'`'}(?=\S)${BODY('`')}${'`'}(__?|:[a-zA-Z][\w+.:-]{0,60}:)?${END}`, 'y'),
    write: ([, text = '', suffix], definitions) => writeInterpreted(text, suffix, definitions),
  },
  { pattern: /_`([^`\n]{1,300})`/y, write: ([, text = '']) => escapeHtml(unescape(text)) },
  {
    pattern: /\|([^|\s](?:[^|\n]{0,200}[^|\s])?)\|(?:__?)?/y,
    write: ([whole, name = ''], definitions, depth) => {
      const text = definitions.substitutions.get(name);
      return text === undefined ? escapeHtml(whole) : nested(text, definitions, depth);
    },
  },
  {
    pattern: /\[(\d+|#[\w.-]*|\*|[A-Za-z][\w.-]{0,60})\]_(?![\w])/y,
    write: ([, label = '']) => `[${escapeHtml(label)}]`,
  },
  {
    pattern: /(?:https?|ftp):\/\/[^\s<>"`|\\^{}]{1,2000}/y,
    write: ([raw]) => {
      const url = raw.replace(/[.,;:!?)*_'\]]{1,20}$/, '');
      return `${link(url, escapeHtml(url))}${escapeHtml(raw.slice(url.length))}`;
    },
  },
  {
    pattern: /([A-Za-z0-9](?:[\w.+-]{0,200}[A-Za-z0-9])?)(__?)(?=$|[\s\-.,:;!?\\/'")\]}>])/y,
    write: ([whole, name = '', suffix = ''], definitions) =>
      isReference(name, suffix, definitions) ? reference(name, suffix, name, definitions) : escapeHtml(whole),
  },
];

const START_BEFORE = /[\s\-:/'"<([{|\\‘“—]/;
const PLAIN = /[^\\*`:|[_A-Za-z0-9]+/y;

export function inlineRst(text: string, definitions: RstDefinitions, depth = 0): string {
  let out = '';
  let at = 0;
  while (at < text.length) {
    const character = text[at] as string;
    if (character === '\\') {
      // An escaped space joins what it stands between.
      const next = text[at + 1] ?? '';
      out += /\s/.test(next) ? '' : escapeHtml(next);
      at += 2;
      continue;
    }
    const before = text[at - 1] ?? '';
    const found = before === '' || START_BEFORE.test(before) ? ruleAt(text, at, definitions, depth) : null;
    if (found !== null) {
      out += found.html;
      at += found.length;
      continue;
    }
    const end = endOfPlain(text, at);
    out += escapeHtml(text.slice(at, end));
    at = end;
  }
  return out;
}

function ruleAt(
  text: string,
  at: number,
  definitions: RstDefinitions,
  depth: number,
): { html: string; length: number } | null {
  for (const { pattern, write } of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { html: write(match, definitions, depth), length: match[0].length };
  }
  return null;
}

/** A whole word, or one mark that is not markup, or everything up to the next of either. */
function endOfPlain(text: string, at: number): number {
  for (const pattern of [/[A-Za-z0-9]+/y, PLAIN]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return at + match[0].length;
  }
  return at + 1;
}

function nested(text: string, definitions: RstDefinitions, depth: number): string {
  return depth >= MAX_DEPTH ? escapeHtml(text) : inlineRst(text, definitions, depth + 1);
}

export function unescape(text: string): string {
  return text.replace(/\\([^])/g, (_, character: string) => (/\s/.test(character) ? '' : character));
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

function link(href: string, html: string): string {
  return `<a href="${escapeHtml(href)}">${html}</a>`;
}

function isReference(name: string, suffix: string, { targets, anonymous, sectionTitles }: RstDefinitions): boolean {
  const key = normalizeName(name);
  return suffix === '__' ? anonymous.length > 0 : targets.has(key) || sectionTitles.has(key);
}

function reference(name: string, suffix: string, text: string, definitions: RstDefinitions): string {
  const html = escapeHtml(unescape(text));
  const href = suffix === '__' ? definitions.anonymous.shift() : resolveTarget(normalizeName(name), definitions);
  return href === undefined ? html : link(href, html);
}

/** A target may name another one; three steps are enough for any real file, and end a cycle. */
function resolveTarget(name: string, { targets }: RstDefinitions): string | undefined {
  let href = targets.get(name);
  for (let step = 0; step < 3 && href?.startsWith('_') === true; step += 1) href = targets.get(href.slice(1));
  return href?.startsWith('_') === true ? undefined : href;
}

const TITLED = /^([^]*?)\s*<([^<>]{1,2000})>$/;

function writeInterpreted(text: string, suffix: string | undefined, definitions: RstDefinitions): string {
  if (suffix === undefined) return `<em>${escapeHtml(unescape(text))}</em>`;
  if (suffix.startsWith(':')) return writeRole(suffix.slice(1, -1), text, definitions);
  const [, title, target] = TITLED.exec(text) ?? [];
  if (target === undefined) return reference(text, suffix, text, definitions);
  const label = escapeHtml(unescape(title || target));
  if (!target.endsWith('_')) return link(target.replace(/\s+/g, ''), label);
  return reference(target.slice(0, -1), '_', title || target, definitions);
}

const PLAIN_ROLES = new Set(
  'ref numref doc term abbr title-reference title t any rfc pep guilabel menuselection dfn sub sup index'.split(' '),
);

function writeRole(role: string, text: string, { sectionTitles }: RstDefinitions): string {
  const name = role.toLowerCase().split(':').at(-1) as string;
  const wrap = WRAPPED_ROLES[name];
  if (wrap !== undefined) return wrap(escapeHtml(unescape(text)));
  const [, title = '', target = ''] = TITLED.exec(text) ?? [];
  const isPlain = PLAIN_ROLES.has(name);
  if (title !== '') {
    const html = isPlain ? escapeHtml(unescape(title)) : code(unescape(title));
    return name === 'doc' ? link(target, html) : html;
  }
  if (isPlain) return escapeHtml(sectionTitles.get(normalizeName(text)) ?? unescape(text));
  return code(VERBATIM_ROLES.has(name) ? text : unescape(shownName(text)));
}

const VERBATIM_ROLES = new Set(['code', 'math', 'literal']);
const WRAPPED_ROLES: Readonly<Record<string, (html: string) => string>> = {
  strong: (html) => `<strong>${html}</strong>`,
  emphasis: (html) => `<em>${html}</em>`,
  rfc: (html) => `RFC ${html}`,
  pep: (html) => `PEP ${html}`,
};

/** `~package.name` shows the last part only, and `!name` makes no link. */
function shownName(text: string): string {
  return text.startsWith('~') ? text.slice(text.lastIndexOf('.') + 1).replace(/^~/, '') : text.replace(/^!/, '');
}
