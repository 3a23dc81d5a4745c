// A page for each declaration file that has public symbols of an npm package: a section for each symbol, with its signature and
// its doc comment.

import { parseDocComment, docMarkdown } from '../doc-comment.ts';
import type { PackageFolder } from '../package-folder.ts';
import { requirementLines } from '../package-requirements.ts';
import { REEXPORTS_LABEL, renderSymbolPage, type PackagePage, type SymbolSection } from '../symbol-page.ts';
import { fittingSections } from '../symbol-sections.ts';
import { baseDeclarations } from './base-declarations.ts';
import { declarationCopies } from './declaration-copies.ts';
import { declarationSections } from './declaration-sections.ts';
import { entryPoints, importedName, withoutExtension, type EntryPoint } from './entry-points.ts';
import { createModuleGraph, type ModuleGraph } from './module-graph.ts';
import { publicSymbols, unnamed, type PublicDeclaration, type PublicSymbols } from './public-symbols.ts';
import { createExportResolver, type ExportResolver } from './resolve-exports.ts';
import { mentionedDeclarations } from './mentioned-declarations.ts';

export interface DeclarationPages {
  readonly pages: readonly PackagePage[];
  readonly notes: readonly string[];
}

/** Pages in the order of their paths. */
export function declarationPages({ manifest, files, read }: PackageFolder): DeclarationPages {
  const { name, fields } = manifest;
  const paths = new Set(files.map(({ path }) => path));
  const copies = declarationCopies(paths, read);
  const entries = entryPoints(name, fields, paths, copies);
  const graph = createModuleGraph({ name, fields, paths, copies, read }, entries);
  const resolver = createExportResolver(graph);
  const symbols = publicSymbols(name, graph, resolver, entries);
  const byPath = Map.groupBy(shownDeclarations(symbols, resolver), ({ ref }) => ref.module.path);
  const context = { manifest, entries, graph, symbols, mainPath: mainPathOf(entries, byPath) };
  const pages: PackagePage[] = [];
  for (const module of graph.modules.toSorted((left, right) => (left.path < right.path ? -1 : 1))) {
    const page = modulePage(context, module.path, byPath.get(module.path) ?? []);
    if (page !== null) pages.push(page);
  }
  return { pages, notes: graph.notes };
}

/** The public declarations, and the unnamed ones that describe them. */
function shownDeclarations({ declarations }: PublicSymbols, resolver: ExportResolver): readonly PublicDeclaration[] {
  const described = [...declarations.values(), ...mentionedDeclarations(declarations.values(), resolver)];
  const bases = baseDeclarations(described, resolver);
  const known = new Set(described.map(({ declared }) => declared));
  const hidden = [...bases.values()].filter(({ declared }) => !known.has(declared));
  return [
    ...described.map((one) => (bases.has(one.declared) ? { ...one, isBase: true as const } : one)),
    ...hidden.map(({ ref, declared }) => ({ ...unnamed({ ref, declared }), isBase: true as const })),
  ];
}

interface PackageContext {
  readonly manifest: PackageFolder['manifest'];
  readonly entries: readonly EntryPoint[];
  readonly graph: ModuleGraph;
  readonly symbols: PublicSymbols;
  /** The file whose page says what the package requires. */
  readonly mainPath: string | undefined;
}

/** The main entry, or where what it exports is declared. */
function mainPathOf(
  [main]: readonly EntryPoint[],
  byPath: ReadonlyMap<string, readonly PublicDeclaration[]>,
): string | undefined {
  if (main === undefined || byPath.has(main.path)) return main?.path;
  const exporting = [...byPath].filter(([, own]) => own.some(({ specifiers }) => specifiers.has(main.specifier)));
  return exporting.map(([path]) => path).toSorted()[0] ?? main.path;
}

function modulePage(
  context: PackageContext,
  path: string,
  declarations: readonly PublicDeclaration[],
): PackagePage | null {
  const ordered = declarations.toSorted(
    (left, right) => (left.declared[0]?.from ?? 0) - (right.declared[0]?.from ?? 0),
  );
  const specifiers = new Set(declarations.flatMap((declaration) => [...declaration.specifiers]));
  const sections: readonly SymbolSection[] = fittingSections(ordered, (declaration, limits) =>
    withOwnImport(declarationSections(declaration, limits), declaration, specifiers),
  );
  const entry = context.entries.find((candidate) => candidate.path === path);
  const namespaces = namespaceSections(context.symbols, path);
  const reexports = entry === undefined ? '' : reexported(context.symbols, entry.specifier);
  if (sections.length === 0 && namespaces.length === 0 && reexports === '') return null;
  const title = entry?.specifier ?? `${importedName(context.manifest.name)}/${withoutExtension(path)}`;
  const module = context.graph.modules.find((candidate) => candidate.path === path);
  const intro = [
    importLine([...specifiers]),
    path === context.mainPath ? requirementLines(context.manifest, exportingModules(context.symbols)) : '',
    module === undefined ? '' : moduleDoc(module.tokens.text),
    reexports,
  ];
  return renderSymbolPage({
    path,
    title,
    language: 'ts',
    intro: intro.filter((part) => part !== '').join('\n\n'),
    sections: [...namespaces, ...sections],
  });
}

function exportingModules({ declarations }: PublicSymbols): ReadonlySet<string> {
  return new Set([...declarations.values()].flatMap(({ specifiers }) => [...specifiers]));
}

/** The line about imports in a symbol's section, if fewer modules export it than the page names. */
function withOwnImport(
  sections: readonly SymbolSection[],
  { specifiers }: PublicDeclaration,
  ofPage: ReadonlySet<string>,
): readonly SymbolSection[] {
  const [main, ...members] = sections;
  if (main === undefined || main.names.length === 0 || specifiers.size === 0 || specifiers.size === ofPage.size)
    return sections;
  const body = [importLine([...specifiers]), main.body].filter((part) => part !== '').join('\n\n');
  return [{ ...main, body }, ...members];
}

const MAX_SPECIFIERS = 6;

function importLine(specifiers: readonly string[]): string {
  if (specifiers.length === 0) return '';
  const shown = specifiers.slice(0, MAX_SPECIFIERS).map((specifier) => `\`${specifier}\``);
  const more = specifiers.length > MAX_SPECIFIERS ? ` and ${specifiers.length - MAX_SPECIFIERS} more` : '';
  return `Import from ${shown.join(', ')}${more}.`;
}

/** The comment that describes a whole file. */
function moduleDoc(text: string): string {
  const [raw] = /^\s*\/\*\*[\s\S]*?\*\//.exec(text.slice(0, 20_000)) ?? [];
  if (raw === undefined || !/@(?:packageDocumentation|module|file|fileoverview)\b/.test(raw)) return '';
  return docMarkdown(parseDocComment(raw));
}

/** Names for whole modules. */
function namespaceSections({ namespaces }: PublicSymbols, from: string): readonly SymbolSection[] {
  const own = new Map(namespaces.filter((item) => item.from === from).map((item) => [item.name, item]));
  return [...own.values()].map(({ name, path, specifier }) => ({
    names: [name],
    heading: name,
    level: 2,
    code: `import { ${name.split('.', 1)[0] ?? name} } from '${specifier.replaceAll("'", '')}'`,
    body: `A namespace: everything that \`${path}\` exports.`,
    deprecated: false,
    members: [],
  }));
}

const MAX_REEXPORTS = 200;

/** Names that an entry has from other packages. */
function reexported({ external }: PublicSymbols, specifier: string): string {
  const own = external.filter((item) => item.specifier === specifier);
  const byModule = Map.groupBy(own.slice(0, MAX_REEXPORTS), ({ module }) => module);
  const lines = [...byModule].map(([module, items]) => {
    const names = items.map(({ name }) => (name === '*' ? 'everything' : `\`${name}\``));
    return `- from \`${module}\`: ${names.join(', ')}`;
  });
  return lines.length === 0 ? '' : `${REEXPORTS_LABEL}\n\n${lines.join('\n')}`;
}
