// node bench/packages/exported-symbols.ts MODULES [PACKAGE…]: compares the public symbols that the reader of npm packages finds with
// the exports that the TypeScript compiler lists, over the packages in a node_modules folder (those with declarations that a
// program of the folder above depends on, unless named). The same files are parsed with the grammar for TypeScript, to compare.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declarationPages } from '../../src/core/packages/declarations/declaration-pages.ts';
import { entryPoints, importedName } from '../../src/core/packages/declarations/entry-points.ts';
import { createGrammarLoader } from '../../src/core/chunk/code/grammar-loader.ts';
import { createNodeGrammarFiles } from '../../src/parse/node-grammar-files.ts';
import { writeResult } from '../support/write-result.ts';
import { compilerExports, specifiersOf } from './compiler-exports.ts';
import { readNpmFolder } from './read-npm-folder.ts';

const MAX_EXAMPLES = 10;
const loader = createGrammarLoader(createNodeGrammarFiles());
await loader.prepare('typescript');
const grammar = loader.ready('typescript');
const [modules, ...named] = process.argv.slice(2);
if (modules === undefined) throw new Error('usage: node bench/packages/exported-symbols.ts MODULES [PACKAGE…]');
const manifest = JSON.parse(readFileSync(join(dirname(modules), 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const packages = named.length > 0 ? named : Object.keys(manifest.dependencies);
const rows = packages.toSorted().map((name) => measurePackage(modules, name));
const measured = rows.filter(({ exported, symbols }) => exported > 0 || symbols > 0);
const sum = (pick: (row: (typeof rows)[number]) => number): number =>
  measured.reduce((total, row) => total + pick(row), 0);
const share = (part: number, whole: number): number => (whole === 0 ? 1 : Number((part / whole).toFixed(4)));
const totals = {
  packages: measured.length,
  exported: sum(({ exported }) => exported),
  found: sum(({ found }) => found),
  foundShare: share(
    sum(({ found }) => found),
    sum(({ exported }) => exported),
  ),
  notExported: sum(({ notExported }) => notExported),
  deprecated: sum(({ deprecated }) => deprecated),
  deprecatedShare: share(
    sum(({ deprecatedFound }) => deprecatedFound),
    sum(({ deprecated }) => deprecated),
  ),
  falselyDeprecated: sum(({ falselyDeprecated }) => falselyDeprecated),
  files: sum(({ files }) => files),
  cpuSeconds: Number((sum(({ cpuMs }) => cpuMs) / 1000).toFixed(1)),
  grammarCpuSeconds: Number((sum(({ grammarCpuMs }) => grammarCpuMs) / 1000).toFixed(1)),
  filesWithErrors: sum(({ filesWithErrors }) => filesWithErrors),
};
if (named.length > 0) console.log(JSON.stringify({ totals, rows }, null, 2));
else writeResult('exported-symbols', { totals, rows: measured });

function cpuOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return Math.round((user + system) / 1000);
}

/** Whether the grammar does not know some syntax of a file. */
function hasSyntaxErrors(text: string): boolean {
  const tree = grammar?.parse(text) ?? null;
  const root = tree?.rootNode as { readonly hasError?: boolean } | undefined;
  const hasError = root?.hasError === true;
  tree?.delete();
  return hasError;
}

function measurePackage(root: string, name: string) {
  const path = join(root, name);
  const folder = readNpmFolder(path);
  const texts = new Map<string, string>();
  const read = (file: string): string | undefined => {
    const text = folder.read(file);
    texts.set(file, text ?? '');
    return text;
  };
  const { pages } = declarationPages({ ...folder, read });
  const cpuMs = cpuOf(() => declarationPages(folder));
  let filesWithErrors = 0;
  const grammarCpuMs = cpuOf(() => {
    for (const text of texts.values()) if (hasSyntaxErrors(text)) filesWithErrors += 1;
  });
  const symbols = pages.flatMap((page) => page.symbols);
  const ours = new Set(symbols.map((symbol) => symbol.name));
  const oursDeprecated = new Set(symbols.filter(({ deprecated }) => deprecated).map((symbol) => symbol.name));
  const entries = entryPoints(name, folder.manifest.fields, new Set(folder.files.map((file) => file.path)));
  const specifiers = new Set([...specifiersOf(folder), ...entries.map(({ specifier }) => specifier)]);
  const view = compilerExports(root, path, [...specifiers]);
  const bare = importedName(name);
  const isOwn = (specifier: string): boolean => specifier === bare || specifier.startsWith(`${bare}/`);
  const prefix = (specifier: string): string => (isOwn(specifier) ? '' : `${specifier.replace(/^node:/, '')}.`);
  const theirs = view.exports.filter(({ internal }) => !internal);
  const nameOf = (item: (typeof theirs)[number]): string => `${prefix(item.specifier)}${item.name}`;
  const isFound = (item: (typeof theirs)[number]): boolean =>
    ours.has(nameOf(item)) || ours.has(item.name) || (item.isDefault && ours.has(`${prefix(item.specifier)}default`));
  const expected = new Map<string, (typeof theirs)[number]>();
  for (const item of theirs) {
    const other = expected.get(nameOf(item));
    const deprecatedMembers = [...new Set([...(other?.deprecatedMembers ?? []), ...item.deprecatedMembers])];
    expected.set(nameOf(item), {
      ...item,
      deprecated: item.deprecated || other?.deprecated === true,
      deprecatedMembers,
    });
  }
  const missing = [...expected.values()].filter((item) => !isFound(item));
  const exportedNames = new Set([...expected.keys(), ...view.importable, 'default']);
  const isExported = (symbol: string): boolean => {
    const parts = symbol.split('.');
    return (
      parts.some((_, nth) => exportedNames.has(parts.slice(0, nth + 1).join('.'))) || view.isGlobal(parts[0] ?? '')
    );
  };
  const notExported = [...ours].filter((symbol) => !isExported(symbol));
  const deprecated = [...expected.values()].flatMap((item) => [
    ...(item.deprecated ? [nameOf(item)] : []),
    ...item.deprecatedMembers.map((member) => `${nameOf(item)}.${member}`),
  ]);
  const known = new Set(deprecated);
  const missedDeprecated = deprecated.filter(
    (symbol) => !oursDeprecated.has(symbol) && !oursDeprecated.has(symbol.slice(symbol.indexOf('.') + 1)),
  );
  const falselyDeprecated = [...expected.keys()].filter((symbol) => oursDeprecated.has(symbol) && !known.has(symbol));
  view.close();
  return {
    package: name,
    version: folder.manifest.version,
    exported: expected.size,
    found: expected.size - missing.length,
    symbols: ours.size,
    notExported: notExported.length,
    deprecated: deprecated.length,
    deprecatedFound: deprecated.length - missedDeprecated.length,
    falselyDeprecated: falselyDeprecated.length,
    files: texts.size,
    cpuMs,
    grammarCpuMs,
    filesWithErrors,
    examples: {
      missing: missing.slice(0, MAX_EXAMPLES).map(({ specifier, name: missed }) => `${specifier}: ${missed}`),
      notExported: notExported.slice(0, MAX_EXAMPLES),
      missedDeprecated: missedDeprecated.slice(0, MAX_EXAMPLES),
      falselyDeprecated: falselyDeprecated.slice(0, MAX_EXAMPLES),
    },
  };
}
