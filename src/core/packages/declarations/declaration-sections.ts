// The sections of one public symbol: its signatures with overloads folded, its doc comments, and its members.

import { docMarkdown, parseDocComment, type DocComment } from '../doc-comment.ts';
import type { SymbolSection } from '../symbol-page.ts';
import {
  distinct,
  foldOverloads,
  symbolSections,
  type DescribedMember,
  type DescribedSymbol,
  type ListLimits,
} from '../symbol-sections.ts';
import type { DeclarationTokens } from './declaration-tokens.ts';
import type { Declared } from './module-scope.ts';
import type { PublicDeclaration } from './public-symbols.ts';
import { scanMembers } from './scan-members.ts';

const NO_NAMES: ReadonlySet<string> = new Set();
/** More names are aliases of aliases. */
const MAX_NAMES = 6;

/** A symbol that is marked as internal has none, unless public types extend it: then it has no names. */
export function declarationSections(declaration: PublicDeclaration, limits: ListLimits): readonly SymbolSection[] {
  const { ref, declared, hasExportedMembers } = declaration;
  const { tokens } = ref.module;
  const own = declared.filter(({ scope, doc }) => scope === null || doc !== null);
  const docs = own.map(({ doc }) => docOf(tokens, doc));
  const names = shownNames(declaration, docs);
  if (names === null) return [];
  const shown = declared[0]?.name ?? '';
  const members = own.flatMap((item) => membersOf(tokens, item));
  const code = signatures(tokens, own, members);
  const body = distinct(docs.map((doc) => (doc === null ? '' : docMarkdown(doc))));
  const isBare = code === '' && body === '' && members.length === 0;
  const isNamespace = declared.some(({ scope }) => scope !== null);
  if (isBare && (names.size === 0 || !isNamespace)) return [];
  const symbol: DescribedSymbol = {
    names: bestFirst(names, shown).slice(0, MAX_NAMES),
    shown,
    code: isBare ? `namespace ${shown}` : code,
    body,
    deprecated: docs.some(isDeprecated),
    members,
    separator: '.',
  };
  const sections = symbolSections(symbol, hasExportedMembers ? NO_LIST : limits);
  return hasExportedMembers
    ? sections.map((section) => (section.level === 3 ? withOwnName(section) : section))
    : sections;
}

/** Null for an internal symbol that no public type extends. */
function shownNames(
  { names, isBase }: PublicDeclaration,
  docs: ReadonlyArray<DocComment | null>,
): ReadonlySet<string> | null {
  if (!docs.some((doc) => doc?.isInternal === true)) return names;
  return isBase === true ? NO_NAMES : null;
}

/** A name that programs import directly, then the one of the declaration; otherwise in the order of the entries. */
function bestFirst(names: ReadonlySet<string>, declared: string): readonly string[] {
  const rank = (name: string): number => 4 * dots(name) + (/^[_$]/.test(name) ? 2 : 0) + (name === declared ? 0 : 1);
  return [...names].toSorted((left, right) => rank(left) - rank(right));
}

/** Members that can be imported by name need sections. */
const NO_LIST: ListLimits = { totalChars: 0, docChars: 0, hasParagraphs: false };

function membersOf(tokens: DeclarationTokens, declaration: Declared): readonly DescribedMember[] {
  return scanMembers(tokens, declaration).flatMap(({ name, from, to, doc: span }) => {
    const doc = docOf(tokens, span);
    if (doc?.isInternal === true) return [];
    const written = dedent(tokens.text, tokens.starts[from] ?? 0, tokens.ends[to - 1] ?? 0);
    return [{ name, signature: written, text: doc === null ? null : docMarkdown(doc), deprecated: isDeprecated(doc) }];
  });
}

function isDeprecated(doc: DocComment | null): boolean {
  return doc !== null && doc.deprecated !== null;
}

function docOf(tokens: DeclarationTokens, span: Declared['doc']): DocComment | null {
  return span === null ? null : parseDocComment(tokens.text.slice(span.start, span.end));
}

/** Further ones are not read: a file may declare an interface ten thousand times. */
const MAX_DECLARATIONS = 200;

/** The signature of each declaration: the header and the members without a comment, or all of it. */
function signatures(
  tokens: DeclarationTokens,
  declared: readonly Declared[],
  members: readonly DescribedMember[],
): string {
  const isDocumented = members.some(({ text }) => text !== null);
  const plain = declared.filter(({ scope }) => scope === null);
  const written = plain.slice(0, MAX_DECLARATIONS).map((declaration) => signature(tokens, declaration, isDocumented));
  const shown = [...new Set(written)];
  // An interface is declared again for each group of its members, and those with comments are shown below.
  const headers = new Set(shown.map((one) => one.slice(0, Math.max(0, one.indexOf(' {\n')))));
  return foldOverloads(shown.filter((one) => !headers.has(one)));
}

function signature(tokens: DeclarationTokens, declaration: Declared, isDocumented: boolean): string {
  const { from, to, body, kind } = declaration;
  const start = tokens.starts[from] ?? 0;
  const whole = dedent(tokens.text, start, tokens.ends[to - 1] ?? start);
  const members = membersOf(tokens, declaration);
  const isWhole = !isDocumented && (body === null || kind === 'enum');
  if (isWhole || (body === null && members.length === 0)) return whole;
  const bare = members
    .filter(({ text }) => text === null)
    .map((member) => `  ${member.signature.replaceAll('\n', '\n  ')};`);
  const headerEnd = body === null ? objectHeaderEnd(tokens, declaration) : (tokens.ends[body - 1] ?? start);
  const header = dedent(tokens.text, start, headerEnd);
  if (bare.length > 0) return `${header} {\n${bare.join('\n')}\n}`;
  return body === null ? `${header} { … }` : header;
}

/** Where the first object type of an alias or a variable begins. */
function objectHeaderEnd(tokens: DeclarationTokens, { from, to }: Declared): number {
  for (let index = from; index < to; index += 1) if (tokens.is(index, '{')) return tokens.ends[index - 1] ?? 0;
  return tokens.ends[to - 1] ?? 0;
}

function dots(name: string): number {
  return name.split('.').length;
}

function withOwnName(section: SymbolSection): SymbolSection {
  const [name] = section.names;
  return name === undefined ? section : { ...section, names: [name.slice(name.lastIndexOf('.') + 1), name] };
}

/** How far back a line is read: a file may be one line with a hundred thousand members. */
const MAX_INDENTED_CHARS = 1000;

/** Text from `start` to `end` without the indentation of its first line. */
function dedent(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - MAX_INDENTED_CHARS), start);
  const line = before.length < start && !before.includes('\n') ? '' : before.slice(before.lastIndexOf('\n') + 1);
  const margin = /^[ \t]*/.exec(line)?.[0] ?? '';
  const slice = text.slice(start, end).replaceAll('\r', '');
  return margin === '' ? slice : slice.replaceAll(`\n${margin}`, '\n');
}
