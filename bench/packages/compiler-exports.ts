// The exports of modules according to the TypeScript compiler: names, the files that declare them, and their doc tags.

import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PackageFolder } from '../../src/core/packages/package-folder.ts';
import { API, SymbolFlags, type Symbol } from 'typescript/unstable/sync';

export interface CompilerExport {
  readonly specifier: string;
  /** As exported; the declared name for a default export. */
  readonly name: string;
  readonly isDefault: boolean;
  readonly deprecated: boolean;
  readonly internal: boolean;
  /** Direct members that are deprecated. */
  readonly deprecatedMembers: readonly string[];
}

export interface CompilerView {
  readonly exports: readonly CompilerExport[];
  /** Properties of what a module exports as `export =`, which can be imported by name. */
  readonly importable: ReadonlySet<string>;
  /** Whether a name is global by a declaration of the package. */
  isGlobal(name: string): boolean;
  close(): void;
}

/** The exports of these modules that files below `folder`, a package in `modules`, declare. */
export function compilerExports(modules: string, folder: string, specifiers: readonly string[]): CompilerView {
  const project = mkdtempSync(join(realpathSync(tmpdir()), 'pinakes-exports-'));
  const root = realpathSync(folder).toLowerCase();
  symlinkSync(modules, join(project, 'node_modules'));
  const types = folder.endsWith('@types/node') ? ['node'] : [];
  const compilerOptions = {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'esnext',
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    jsx: 'react-jsx',
    types,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['all.mts'] }));
  const lines = specifiers.map((specifier, nth) => `import * as m${nth} from ${JSON.stringify(specifier)};`);
  const file = join(project, 'all.mts');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const api = new API({ cwd: project });
  const opened = api.updateSnapshot({ openProjects: [join(project, 'tsconfig.json')] }).getProjects()[0];
  if (opened === undefined) throw new Error('the compiler did not open the project');
  const { checker } = opened;
  const isInside = ({ declarations }: Symbol): boolean =>
    declarations.some(({ path }) => path.toLowerCase().startsWith(`${root}/`));
  const tagsOf = (symbol: Symbol): readonly string[] => checker.getJsDocTagsOfSymbol(symbol).map(({ name }) => name);

  let offset = 0;
  const found: CompilerExport[] = [];
  const importable = new Set<string>();
  for (const [nth, specifier] of specifiers.entries()) {
    const line = lines[nth] ?? '';
    const module = checker.getSymbolAtPosition(file, offset + line.indexOf('"') + 1);
    offset += line.length + 1;
    if (module === undefined) continue;
    const assigned = [...module.getExports().values()].filter(({ name }) => name === 'export=');
    for (const symbol of assigned) {
      const target = (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
      const type = checker.getTypeOfSymbol(target);
      if (type !== undefined) for (const { name } of checker.getPropertiesOfType(type)) importable.add(name);
    }
    for (const exported of [...checker.getExportsOfModule(module), ...assigned]) {
      const target = (exported.flags & SymbolFlags.Alias) === 0 ? exported : checker.getAliasedSymbol(exported);
      const isDefault = exported.name === 'default' || exported.name === 'export=';
      if (checker.isUnknownSymbol(target) || !isInside(target) || exported.name.startsWith('\u00fe')) continue;
      const tags = tagsOf(target);
      const members = [...target.getMembers().values()].filter((member) => isInside(member));
      found.push({
        specifier,
        name: isDefault ? declaredName(target) : exported.name,
        isDefault,
        deprecated: tags.includes('deprecated'),
        internal: tags.includes('internal'),
        deprecatedMembers: members.filter((member) => tagsOf(member).includes('deprecated')).flatMap(memberName),
      });
    }
  }
  return {
    exports: found,
    importable,
    isGlobal(name) {
      const meaning: SymbolFlags = SymbolFlags.Value | SymbolFlags.Type | SymbolFlags.Namespace;
      const symbol = checker.resolveName(name, meaning, { document: file, position: 0 });
      return symbol !== undefined && isInside(symbol);
    },
    close() {
      api.close();
      rmSync(project, { recursive: true, force: true });
    },
  };
}

/** A default export is known by the name of its declaration. */
function declaredName(symbol: Symbol): string {
  for (const declaration of symbol.declarations) {
    const node = declaration.resolve() as { readonly name?: { readonly text?: string } } | undefined;
    if (node?.name?.text !== undefined) return node.name.text;
  }
  return symbol.name;
}

/** Signatures without a name are not symbols. */
function memberName({ name }: Symbol): readonly string[] {
  if (name.endsWith('__constructor') || name === 'constructor') return ['constructor'];
  return /^(?:\u00fe|__(?:call|new|index)$)/.test(name) ? [] : [name];
}

/** The modules that a package's declarations can be imported by, from its manifest and the modules that it declares by name. */
export function specifiersOf({ manifest, files, read }: PackageFolder): readonly string[] {
  const { name, fields } = manifest;
  const declared = files
    .filter(({ path }) => path.endsWith('.d.ts') && !/(?:^|\/)ts\d|compiled/.test(path))
    .flatMap(({ path }) => [...(read(path) ?? '').matchAll(/^declare module ["']([^."'*][^"'*]*)["'] \{/gm)])
    .map(([, module = '']) => module)
    .filter((module) => name.startsWith('@types/') || module === name || module.startsWith(`${name}/`));
  const bare = name.startsWith('@types/') ? name.slice('@types/'.length) : name;
  const { exports } = fields;
  if (typeof exports !== 'object' || exports === null) return [bare, ...declared];
  const keys = Object.keys(exports).filter(
    (key) => key.startsWith('.') && !key.includes('*') && !/\.(?:json|css)$/.test(key),
  );
  const listed = keys.length === 0 ? [bare] : keys.map((key) => (key === '.' ? bare : `${bare}/${key.slice(2)}`));
  return [...listed, ...declared];
}
