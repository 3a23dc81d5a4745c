// Under which names the packages of a distribution export what their modules define: `from .types import Path` in
// `click/__init__.py` makes `click.types.Path` public as `click.Path`.

import type { ReadyGrammar, SyntaxNode } from '../../chunk/code/grammar-loader.ts';
import type { PackageFile, PackageFolder } from '../package-folder.ts';
import { withTree } from './code-page.ts';

interface Reexport {
  /** The imported name: `click.types.Path`. */
  readonly origin: string;
  readonly name: string;
}

/** Imports of imports. */
const MAX_CHAIN = 5;
const MAX_NAMES = 100_000;

/** Public names by full names. */
export function pythonReexports(
  folder: PackageFolder,
  modules: readonly PackageFile[],
  grammar: ReadyGrammar,
): ReadonlyMap<string, string> {
  const all: Reexport[] = [];
  for (const { path } of modules) {
    const isPublic = /(?:^|\/)__init__\.pyi?$/.test(path) && !/(?:^|\/)_[^_]/.test(path);
    const text = isPublic ? folder.read(path) : undefined;
    const found = text === undefined ? null : withTree(grammar, text, (root) => importsOf(path, root));
    if (found !== null) all.push(...found.slice(0, MAX_NAMES - all.length));
  }
  const byOrigin = new Map<string, string>();
  for (const { origin, name } of all) if (!byOrigin.has(origin)) byOrigin.set(origin, name);
  return follow(byOrigin);
}

/** A name that is imported again from the package keeps the shortest one: `attr.define`, then `attrs.define`. */
function follow(byOrigin: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  for (const [origin, first] of byOrigin) {
    let name = first;
    for (let step = 0; step < MAX_CHAIN; step += 1) {
      const next = byOrigin.get(name);
      if (next === undefined || next.length >= name.length) break;
      name = next;
    }
    result.set(origin, name);
  }
  return result;
}

function importsOf(path: string, root: SyntaxNode): readonly Reexport[] {
  const own = path.replace(/\/__init__\.pyi?$/, '').replaceAll('/', '.');
  return root.namedChildren.flatMap((node) => {
    if (node.type !== 'import_from_statement') return [];
    const from = node.childForFieldName('module_name');
    const module = from === null ? null : absoluteModule(own, from.text);
    if (module === null) return [];
    return node.namedChildren
      .filter(({ startIndex }) => startIndex !== from?.startIndex)
      .flatMap((child) => {
        const [, name, alias] = /^([\w.]+)(?:\s+as\s+(\w+))?$/.exec(child.text) ?? [];
        if (name === undefined || (alias ?? name).startsWith('_')) return [];
        return [{ origin: `${module}.${name}`, name: `${own}.${alias ?? name}` }];
      });
  });
}

function absoluteModule(own: string, from: string): string | null {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(from) ?? [];
  if (dots === '') return rest;
  const parent = own.split('.').slice(0, own.split('.').length - dots.length + 1);
  return parent.length === 0 ? null : [...parent, ...(rest === '' ? [] : [rest])].join('.');
}
