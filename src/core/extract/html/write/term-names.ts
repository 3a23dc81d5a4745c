// The names that a term of a definition list defines: `json.dumps` from a Sphinx signature, `max_wal_size` from a DocBook term.

import { classWords, walk, type ElementNode } from '../parse/html-node.ts';
import { elementText } from './element-text.ts';

export interface TermContext {
  readonly anchor: string;
  /** The definition that contains the term, such as the class of a method; null if there is none. */
  readonly owner: string | null;
}

/** Full names, the main one first; empty if the term is a sentence. */
export function termNames(term: ElementNode, location: TermContext): readonly string[] {
  const signature = signatureParts(term);
  const names =
    signature.names.length > 0
      ? signature.names.map((name) => qualifiedName(name, signature.qualifier, term, location))
      : plainNames(term);
  return [...new Set(names)].filter(isName);
}

const MAX_NAME_CHARS = 120;
const MAX_NAME_WORDS = 8;

function isName(name: string): boolean {
  return /[\p{L}\p{N}]|^\S+$/u.test(name) && name.length <= MAX_NAME_CHARS && name.split(' ').length <= MAX_NAME_WORDS;
}

/** Sphinx marks the name in a signature, and the module or class before it. */
function signatureParts(term: ElementNode): { readonly names: readonly string[]; readonly qualifier: string } {
  const names: string[] = [];
  let qualifier = '';
  walk(term, (node) => {
    const words = classWords(node);
    if (words.includes('descname') || words.includes('sig-name')) names.push(elementText(node));
    else if (!words.includes('descclassname') && !words.includes('sig-prename')) return true;
    else if (names.length === 0) qualifier = elementText(node);
    return false;
  });
  return { names, qualifier };
}

/** Options, environment variables and settings belong to no module. */
const DOMAIN_WITHOUT_MODULES = 'std';

function qualifiedName(written: string, qualifier: string, term: ElementNode, { anchor, owner }: TermContext): string {
  const domains = classWords(term);
  const name = plainName(written);
  if (domains.includes(DOMAIN_WITHOUT_MODULES)) return name;
  const id = domains.includes('c') ? anchor.replace(/^c\./, '') : anchor;
  if ((id === name || id.endsWith(`.${name}`)) && /^[\w.$]+$/.test(id)) return id;
  if (qualifier !== '') return `${qualifier.replaceAll(' ', '')}${name}`;
  if (owner === null) return name;
  return `${owner}${domains.includes('cpp') ? '::' : '.'}${name}`;
}

/** DocBook writes alternatives as several terms: `-A` and `--auth`. */
function plainNames(term: ElementNode): readonly string[] {
  const alternatives: string[] = [];
  walk(term, (node) => {
    if (!classWords(node).includes('term')) return true;
    alternatives.push(elementText(node));
    return false;
  });
  return (alternatives.length > 0 ? alternatives : [elementText(term)])
    .flatMap((text) => (text.startsWith('-') ? text.split(/,\s+/) : [text]))
    .filter((text) => text !== '')
    .map(plainName);
}

const VALUES = /[([{<=|;,]|\.\.\.|:\s|\s[-–—]\s/;

/** The text before parameters, types and values: `PARTITION BY` from `PARTITION BY { RANGE | LIST }`. */
export function plainName(text: string): string {
  const [name = ''] = text.slice(0, MAX_NAME_CHARS * 4).split(VALUES, 1);
  const whole = name.trim() === '' ? text.replaceAll(',', ' ') : name;
  // An option or a command of a shell is followed by the names of its values.
  const [first = ''] = /^[-\\/]/.test(whole) ? whole.split(/\s/, 1) : [whole];
  return first
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[:.,]+$/, '');
}

/** A member is shown with what contains it, and nothing else with more than its own name. */
export function shortName(symbol: string, owner: string | null): string {
  if (owner === null || !symbol.startsWith(owner) || symbol.length === owner.length) return symbol;
  const outer = owner.split(/[.#]|::/).at(-1) ?? owner;
  return `${outer}${symbol.slice(owner.length).replace('#', '.')}`;
}
