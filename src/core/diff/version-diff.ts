// Compares two versions of a source for a reader who depends on it: removed and renamed symbols and sections, signatures, defaults and
// deprecations, and the notes of the newer version about them.

import {
  BOTH_SYSTEMS,
  documentedApi,
  MODULE_SYSTEMS,
  type ComparedPage,
  type DocumentedApi,
  type Location,
  type DocumentedSection,
  type DocumentedSymbol,
} from './documented-api.ts';
import { CHANGELOG, headingText, releaseNotes } from './release-notes.ts';
import { mainModule } from './definitions.ts';
import { symbolDiff, type SymbolDiff } from './symbol-diff.ts';

export interface VersionDiff {
  readonly removed: ReadonlyArray<
    Location & {
      /** A symbol, a member, or a module that nothing is imported from any more. */
      readonly symbol: string;
      readonly module: string | null;
      readonly signature: string;
    }
  >;
  /** The same text under another name; `path` is where it is now. */
  readonly renamed: ReadonlyArray<Location & { readonly symbol: string; readonly to: string }>;
  readonly signatures: ReadonlyArray<
    Location & { readonly symbol: string; readonly before: string; readonly after: string }
  >;
  readonly defaults: ReadonlyArray<
    Location & { readonly name: string; readonly before: string; readonly after: string }
  >;
  /** What the package needs: null if a version does not say. */
  readonly requirements: ReadonlyArray<
    Location & { readonly name: string; readonly before: string | null; readonly after: string | null }
  >;
  readonly deprecated: ReadonlyArray<Location & { readonly symbol: string; readonly text: string }>;
  /** Removed sections, with the heading that has their text now, if there is one. */
  readonly sections: ReadonlyArray<Location & { readonly heading: string; readonly to: string | null }>;
  /** Sections of the newer version's changelogs and migration guides about the versions in between. */
  readonly notes: ReadonlyArray<Location & { readonly heading: string; readonly text: string }>;
}

export interface ComparedVersion {
  readonly label: string;
  readonly pages: readonly ComparedPage[];
}

/** Pure, and linear in the size of the texts. */
export function versionDiff(before: ComparedVersion, after: ComparedVersion): VersionDiff {
  const [old, current] = [documentedApi(before.pages), documentedApi(after.pages)];
  const { pairs, gone, goneMembers, goneModules } = symbolDiff(old, current);
  const renamed = [...movedSymbols(gone), ...renamedSymbols(gone, old, current)];
  const isRenamed = new Set(renamed.map(({ symbol }) => symbol));
  const removed = gone.filter(({ gone: { symbol }, otherModule }) => otherModule === null && !isRenamed.has(symbol));
  return {
    removed: [
      ...foldModules(goneModules).map(removedModule),
      ...removed.map(({ gone: symbol }) => removedSymbol(symbol)).toSorted(byModule),
      ...goneMembers.map(({ gone: member }) => removedSymbol(member)),
    ],
    renamed,
    signatures: pairs.flatMap(({ from, to }) => signatureChange(from, to)),
    defaults: [...pairs.flatMap(({ from, to }) => defaultChange(from, to)), ...tableChanges(old, current)],
    requirements: requirementChanges(old, current),
    deprecated: pairs.flatMap(({ from, to }) =>
      to.isDeprecated && !from.isDeprecated
        ? [{ path: to.path, anchor: to.anchor, symbol: to.symbol, text: shorten(deprecation(to.body)) }]
        : [],
    ),
    sections: goneSections(old, current),
    notes: releaseNotes(before.label, after.label, old, current),
  };
}

function removedSymbol({ path, anchor, symbol, modules, signature }: DocumentedSymbol): VersionDiff['removed'][number] {
  return { path, anchor, symbol, module: mainModule(modules), signature: shorten(signature) };
}

/** What the main module exported first. */
function byModule(left: VersionDiff['removed'][number], right: VersionDiff['removed'][number]): number {
  return (left.module ?? '').length - (right.module ?? '').length;
}

/** As many modules of one folder are listed; more are one entry. */
const MAX_LISTED_MODULES = 12;

function foldModules(modules: SymbolDiff['goneModules']): SymbolDiff['goneModules'] {
  const folders = Map.groupBy(modules, ({ module }) => module.slice(0, module.lastIndexOf('/')));
  return [...folders].flatMap(([folder, inside]) =>
    inside.length <= MAX_LISTED_MODULES
      ? inside
      : [{ module: `${folder}/*`, symbols: inside.flatMap(({ symbols }) => symbols) }],
  );
}

const MAX_NAMED = 8;

function removedModule({ module, symbols }: SymbolDiff['goneModules'][number]): VersionDiff['removed'][number] {
  const names = symbols.slice(0, MAX_NAMED).map(({ symbol }) => symbol);
  const more = symbols.length > MAX_NAMED ? ', …' : '';
  const [{ path, anchor } = { path: '', anchor: null }] = symbols;
  const imported = names.length === 0 ? '' : `{ ${names.join(', ')}${more} } from `;
  const signature = `import ${imported}'${module.replace(/\*$/, '…')}'`;
  return { path, anchor, symbol: module, module, signature };
}

const MAX_SHOWN_CHARS = 300;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_SHOWN_CHARS ? line : `${line.slice(0, MAX_SHOWN_CHARS)} …`;
}

/** What the author says of it, without the word that the list has as its title. */
function deprecation(body: string): string {
  const [, said = ''] = /(?:^|\n)[>*_\s]{0,6}deprecated\b[\s*_:.]*([\s\S]*)$/i.exec(body) ?? [];
  const [paragraph = ''] = said.split('\n\n');
  return paragraph;
}

function movedSymbols(gone: SymbolDiff['gone']): VersionDiff['renamed'] {
  return gone.flatMap(({ gone: { symbol }, otherModule }) => {
    const module = otherModule === null ? null : mainModule(otherModule.modules);
    if (otherModule === null || module === null) return [];
    return [{ path: otherModule.path, anchor: otherModule.anchor, symbol, to: `${symbol} from '${module}'` }];
  });
}

/** A shorter text is not evidence that two things are the same. */
const MIN_RENAMED_CHARS = 40;

function renamedSymbols(gone: SymbolDiff['gone'], old: DocumentedApi, current: DocumentedApi): VersionDiff['renamed'] {
  const added = [...current.symbols.values()].flatMap(([one]) =>
    one === undefined || old.symbols.has(one.symbol) ? [] : [one],
  );
  const missing = gone.flatMap(({ gone: one, otherModule }) => (otherModule === null ? [one] : []));
  const [from, to] = [Map.groupBy(missing, fingerprint), Map.groupBy(added, fingerprint)];
  return [...from].flatMap(([print, [one, ...others]]) => {
    const [match, ...more] = to.get(print) ?? [];
    if (one === undefined || match === undefined || others.length > 0 || more.length > 0) return [];
    if (print.length < MIN_RENAMED_CHARS) return [];
    return [{ path: match.path, anchor: match.anchor, symbol: one.symbol, to: match.symbol }];
  });
}

/** Signature and text without the name. */
function fingerprint({ symbol, signature, body, members }: DocumentedSymbol): string {
  const name = symbol.slice(symbol.lastIndexOf('.') + 1);
  const own = [...members.values()].map((member) => `${member.signature}\n${member.body}`);
  return [signature, body, ...own].join('\n').replaceAll(name, '').replaceAll(/\s+/g, ' ');
}

function signatureChange(from: DocumentedSymbol, to: DocumentedSymbol): VersionDiff['signatures'] {
  // The signature of a symbol of another package is not shown.
  if (from.signature === '' || to.signature === '' || plain(from.signature) === plain(to.signature)) return [];
  const { path, anchor, symbol } = to;
  return [{ path, anchor, symbol, ...changedPart(from.signature, to.signature) }];
}

/** Without what says nothing to a reader: spaces, semicolons and the last comma of a list. */
function plain(text: string): string {
  return text.replaceAll(/[\s;]+/g, '').replaceAll(/,(?=[>)\]}])/g, '');
}

/** The lines that differ, without the equal lines at the start and at the end. */
function changedPart(before: string, after: string): { readonly before: string; readonly after: string } {
  const [old, current] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, current.length);
  let head = 0;
  while (head < shorter && old[head] === current[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === current[current.length - 1 - tail]) tail += 1;
  const part = (lines: readonly string[]): string => shorten(lines.slice(head, lines.length - tail).join('\n'));
  return { before: part(old), after: part(current) };
}

function defaultChange(from: DocumentedSymbol, to: DocumentedSymbol): VersionDiff['defaults'] {
  if (from.default === null || to.default === null || from.default === to.default) return [];
  return [{ path: to.path, anchor: to.anchor, name: to.symbol, before: from.default, after: to.default }];
}

function requirementChanges(old: DocumentedApi, current: DocumentedApi): VersionDiff['requirements'] {
  const names = new Set([...current.requirements.keys(), ...old.requirements.keys()]);
  return [...names].flatMap((name) => {
    const [from, to] = [old.requirements.get(name), current.requirements.get(name)];
    const location = to ?? from;
    if (location === undefined || from?.value === to?.value) return [];
    const { path, anchor } = location;
    // A package that has both does not state it.
    const unsaid = name === MODULE_SYSTEMS ? BOTH_SYSTEMS : null;
    return [{ path, anchor, name, before: from?.value ?? unsaid, after: to?.value ?? unsaid }];
  });
}

function tableChanges(old: DocumentedApi, current: DocumentedApi): VersionDiff['defaults'] {
  const known = new Map(old.defaults.map((one) => [`${one.path}\n${one.name}`, one.value]));
  return current.defaults.flatMap(({ path, anchor, name, value }) => {
    const before = known.get(`${path}\n${name}`);
    return before === undefined || before === value ? [] : [{ path, anchor, name, before, after: value }];
  });
}

function goneSections(old: DocumentedApi, current: DocumentedApi): VersionDiff['sections'] {
  const titles = new Set(current.sections.map(headingKey));
  const texts = new Map(current.sections.map((section) => [section.text, section]));
  return old.sections.flatMap((section) => {
    const { path, anchor, headings, text } = section;
    if (titles.has(headingKey(section)) || CHANGELOG.test(path) || headings.length === 0) return [];
    const moved = text.length < MIN_RENAMED_CHARS ? undefined : texts.get(text);
    const to = moved === undefined ? null : headingText(moved);
    return [{ path, anchor, heading: headingText(section), to }];
  });
}

/** A key without the page: a section that moved to another page with its headings was not removed. */
function headingKey({ headings }: DocumentedSection): string {
  return headings.slice(-2).join('\n').toLowerCase();
}
