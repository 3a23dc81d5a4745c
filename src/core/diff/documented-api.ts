// The documented API that a reader of a version may depend on: symbols with signatures, settings with defaults, and sections.

import type { OutlineEntry } from '../model/document.ts';
import { FURTHER_ENTRIES_LABEL, MODULES_ONLY, REQUIRES_LABEL } from '../packages/package-requirements.ts';
import { REEXPORTS_LABEL } from '../packages/symbol-page.ts';
import { pageSections } from '../outline/heading-path.ts';
import { signatureParts, type SignatureParts } from './typescript-signature.ts';

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
  /** The modules that it is imported from; empty if its page names none. */
  readonly modules: readonly string[];
  /** The symbol of its section, if this is another name of it. */
  readonly aliasOf: string | null;
  /** The members of a type, as far as its page shows them. */
  readonly members: ReadonlyMap<string, DocumentedSymbol>;
  /** Names of the types whose members it has too. */
  readonly bases: readonly string[];
  /** Whether it may have members that the page does not show. */
  readonly isOpen: boolean;
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
  /** Symbols by name, without members; one may be defined on several pages. */
  readonly symbols: ReadonlyMap<string, readonly DocumentedSymbol[]>;
  /** Types that programs cannot name, which others extend. */
  readonly hidden: ReadonlyMap<string, readonly DocumentedSymbol[]>;
  readonly sections: readonly DocumentedSection[];
  readonly defaults: readonly StatedDefault[];
  /** What the package needs, such as a version of Node.js, by name. */
  readonly requirements: ReadonlyMap<string, StatedDefault>;
  /** Modules that no symbol names. */
  readonly furtherModules: readonly string[];
}

export function documentedApi(pages: readonly ComparedPage[]): DocumentedApi {
  const read = pages.map(readPage);
  return {
    symbols: byName(read.flatMap(({ symbols }) => symbols)),
    hidden: byName(read.flatMap(({ hidden }) => hidden)),
    sections: read.flatMap(({ sections }) => sections),
    defaults: read.flatMap(({ defaults }) => defaults),
    requirements: new Map(read.flatMap(({ requirements }) => requirements.map((one) => [one.name, one] as const))),
    furtherModules: read.flatMap(({ furtherModules }) => furtherModules),
  };
}

function byName(found: readonly DocumentedSymbol[]): ReadonlyMap<string, readonly DocumentedSymbol[]> {
  return Map.groupBy(found, ({ symbol }) => symbol);
}

function readPage({ path, title, text, outline }: ComparedPage) {
  const lines = text.split('\n');
  const headings = pageSections(title, outline);
  const nextLine = (at: number): number => outline[at + 1]?.line ?? lines.length + 1;
  const modules = modulesIn(lines.slice(0, nextLine(0) - 1)) ?? [];
  const definesSymbols = outline.some(({ definition }) => definition !== undefined);
  const found: DocumentedSymbol[] = [];
  const hidden: DocumentedSymbol[] = [];
  const sections: DocumentedSection[] = [];
  const defaults: StatedDefault[] = [];
  for (const [at, entry] of outline.entries()) {
    const own = lines.slice(entry.line, nextLine(at) - 1);
    const heading = lines[entry.line - 1] ?? '';
    const location = { path, anchor: entry.anchor };
    if (entry.definition !== undefined) found.push(...symbolsOf(entry, own, { ...location, modules }));
    else if (definesSymbols && HIDDEN.test(heading)) hidden.push(hiddenSymbol(heading, own, location));
    // The first section of a page of symbols is its introduction.
    else if (!definesSymbols || at > 0)
      sections.push({ ...location, headings: headings[at]?.headings ?? [], text: own.join('\n').trim() });
    defaults.push(...tableDefaults(own, entry.text, location));
  }
  return {
    symbols: [...withMembers(found), ...reexports(path, title, lines)],
    hidden,
    sections,
    defaults,
    requirements: requirementsIn(lines, path),
    furtherModules: codeAfter(lines, FURTHER_ENTRIES_LABEL),
  };
}

/** `_Base (not exported by name)`. */
const HIDDEN = /^#+ (\S+) \(not exported by name\)$/;

function hiddenSymbol(heading: string, own: readonly string[], location: Location): DocumentedSymbol {
  const symbol = HIDDEN.exec(heading)?.[1] ?? heading;
  const others = [...memberLines(own).keys()].map((name) => ({ symbol: `${symbol}.${name}`, anchor: null }));
  const entry = { level: 2, text: symbol, anchor: null, line: 0, definition: { symbol, lastLine: 0, others } };
  const [hidden] = symbolsOf(entry, own, { ...location, modules: [] });
  return hidden ?? plainSymbol({ ...location, modules: [] }, symbol, symbol);
}

function requirementsIn(lines: readonly string[], path: string): readonly StatedDefault[] {
  const items = codeAfter(lines, REQUIRES_LABEL);
  const isModuleOnly = lines.some((line) => line.startsWith(MODULES_ONLY));
  const stated = items.flatMap((name, at) =>
    at % 2 === 0 ? [{ path, anchor: null, name, value: items[at + 1] ?? '' }] : [],
  );
  return isModuleOnly ? [...stated, { path, anchor: null, name: MODULE_SYSTEMS, value: 'ECMAScript modules' }] : stated;
}

export const MODULE_SYSTEMS = 'module systems';
export const BOTH_SYSTEMS = 'ECMAScript modules and CommonJS';

/** The inline code in the line of the introduction that begins with a label. */
function codeAfter(lines: readonly string[], label: string): readonly string[] {
  const line = lines.slice(0, MAX_INTRO_LINES).find((one) => one.startsWith(label)) ?? '';
  return [...line.matchAll(/`([^`]{1,200})`/g)].map(([, code = '']) => code);
}

const MAX_INTRO_LINES = 30;

/** Members with a section of their own belong to the symbol before the last dot, if the page defines it. */
function withMembers(found: readonly DocumentedSymbol[]): readonly DocumentedSymbol[] {
  const owners = new Map(found.map((one) => [one.symbol, one]));
  const members = new Map<string, Map<string, DocumentedSymbol>>();
  const free: DocumentedSymbol[] = [];
  for (const one of found) {
    const end = one.symbol.lastIndexOf('.');
    const owner = end > 0 ? one.symbol.slice(0, end) : null;
    if (owner === null || one.aliasOf !== null || !owners.has(owner)) free.push(one);
    else members.set(owner, (members.get(owner) ?? new Map()).set(one.symbol.slice(end + 1), one));
  }
  const isMember = new Set([...members.values()].flatMap((own) => [...own.values()]));
  return free.flatMap((one) => {
    if (isMember.has(one)) return [];
    const own = members.get(one.symbol);
    return [own === undefined ? one : { ...one, members: new Map([...one.members, ...own]) }];
  });
}

/** `- from `other`: `a`, `b``: names that a module has from other packages, whose declarations no page shows. */
function reexports(path: string, module: string, lines: readonly string[]): readonly DocumentedSymbol[] {
  const label = lines.indexOf(REEXPORTS_LABEL);
  const listed = label === -1 ? [] : lines.slice(label + 1).filter((line) => line.startsWith('- from `'));
  const location = { path, anchor: null, modules: [module] };
  return listed.flatMap((line) =>
    [...line.slice(line.indexOf('`:')).matchAll(/`([\w$.]{1,200})`/g)].map(([, name = '']): DocumentedSymbol => ({
      ...plainSymbol(location, name, ''),
      isOpen: true,
    })),
  );
}

/** `Import from `zod`, `zod/v4`.`: the modules, or null if no line names them. */
function modulesIn(lines: readonly string[]): readonly string[] | null {
  const line = lines.find((one) => one.startsWith('Import from `'));
  if (line === undefined) return null;
  return [...line.matchAll(/`([^`]{1,200})`/g)].slice(0, MAX_MODULES).map(([, module = '']) => module);
}

/** Modules of one symbol. */
const MAX_MODULES = 100;

const MAX_SIGNATURE_CHARS = 4000;
const NO_PARTS: SignatureParts = { header: '', members: [], bases: [], isOpen: false };

interface SymbolPlace extends Location {
  readonly modules: readonly string[];
}

function symbolsOf(entry: OutlineEntry, own: readonly string[], page: SymbolPlace): DocumentedSymbol[] {
  const { symbol, others = [] } = entry.definition ?? { symbol: entry.text };
  const { code, language, body } = splitCode(own);
  const location = { ...page, modules: modulesIn(own) ?? page.modules };
  const parts = language === 'ts' ? signatureParts(code) : { ...NO_PARTS, header: code };
  const items = memberLines(own);
  const members = new Map<string, DocumentedSymbol>();
  for (const [name, signatures] of Map.groupBy(parts.members, (member) => member.name))
    members.set(
      name,
      plainSymbol(location, `${symbol}.${name}`, signatures.map(({ signature }) => signature).join('\n')),
    );
  const aliases: DocumentedSymbol[] = [];
  const main: DocumentedSymbol = {
    ...plainSymbol(location, symbol, parts.header === '' ? entry.text : parts.header, body),
    members,
    bases: parts.bases,
    isOpen: parts.isOpen,
  };
  for (const other of others) {
    const name = other.symbol.slice(symbol.length + 1);
    const item = other.symbol.startsWith(`${symbol}.`) ? items.get(name) : undefined;
    if (item === undefined) aliases.push({ ...main, symbol: other.symbol, aliasOf: symbol, members: new Map() });
    else members.set(name, plainSymbol(location, other.symbol, item.signature, item.text));
  }
  return [main, ...aliases];
}

function plainSymbol(location: SymbolPlace, symbol: string, signature: string, body = ''): DocumentedSymbol {
  return {
    ...location,
    symbol,
    signature: signature.slice(0, MAX_SIGNATURE_CHARS),
    body,
    isDeprecated: isDeprecated(body),
    default: statedDefault(body),
    aliasOf: null,
    members: new Map(),
    bases: [],
    isOpen: false,
  };
}

interface SectionCode {
  readonly code: string;
  readonly language: string;
  readonly body: string;
}

/** The first block of code, and the text around it, without the list of members. */
function splitCode(own: readonly string[]): SectionCode {
  const from = own.findIndex((line) => line.startsWith('```'));
  const end = from === -1 ? -1 : own.findIndex((line, at) => at > from && line.startsWith('```'));
  const rest = end === -1 ? own : [...own.slice(0, from), ...own.slice(end + 1)];
  const body = rest.filter((line) => !MEMBER.test(line) && !line.startsWith('Import from `')).join('\n');
  const language = /^`+(\w*)/.exec(own[from] ?? '')?.[1] ?? '';
  return { code: end === -1 ? '' : own.slice(from + 1, end).join('\n'), language, body: body.trim() };
}

const MEMBER = /^- `(?:[a-z]+ ){0,4}["']?([\w$]+)/;

interface MemberLine {
  readonly signature: string;
  readonly text: string;
}

function memberLines(own: readonly string[]): ReadonlyMap<string, MemberLine> {
  return new Map(
    own.flatMap((line) => {
      const name = MEMBER.exec(line)?.[1];
      const [, signature = '', text = ''] = /^- `([^`]*)`:? ?(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, { signature, text }] as const];
    }),
  );
}

/** At the beginning of a line, as comments and admonitions have it. */
function isDeprecated(text: string): boolean {
  return /(?:^|\n)[>*_\s]{0,6}deprecated\b/i.test(text);
}

function statedDefault(text: string): string | null {
  const [, value = null] = /\b(?:defaults? to|default)(?: value)?(?: is)?:? `([^`\n]{1,100})`/i.exec(text) ?? [];
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
