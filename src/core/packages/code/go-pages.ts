// Pages of a Go module: the exported identifiers of each file, with their doc comments.

import type { ReadyGrammar, SyntaxNode } from '../../chunk/code/grammar-loader.ts';
import type { PackageFile, PackageFolder } from '../package-folder.ts';
import type { PackagePage } from '../symbol-page.ts';
import type { DescribedMember, DescribedSymbol } from '../symbol-sections.ts';
import { codePage, fieldText, textBefore, withTree } from './code-page.ts';
import { godocMarkdown } from './doc-text.ts';

export function goPages(folder: PackageFolder, sources: readonly PackageFile[], grammar: ReadyGrammar): PackagePage[] {
  return sources.flatMap(({ path }) => {
    if (!path.endsWith('.go') || /(?:^|\/)internal\//.test(path)) return [];
    const text = folder.read(path);
    const page = text === undefined ? null : withTree(grammar, text, (root) => goPage(folder, path, text, root));
    return page === null ? [] : [page];
  });
}

function goPage({ manifest }: PackageFolder, path: string, text: string, root: SyntaxNode): PackagePage | null {
  const directory = path.includes('/') ? `/${path.slice(0, path.lastIndexOf('/'))}` : '';
  const importPath = `${manifest.name}${directory}`;
  const commented = withComments(text, root.namedChildren);
  const clause = commented.find(({ node }) => node.type === 'package_clause');
  const packageName = clause?.node.namedChildren[0]?.text ?? '';
  if (packageName === '' || packageName === 'main') return null;
  const symbols = commented.flatMap(({ node, doc }) => declared(text, node, doc, packageName));
  const intro = [`Package \`${packageName}\`, imported as \`${importPath}\`.`, godocMarkdown(clause?.doc ?? '')];
  if (symbols.length === 0 && intro[1] === '') return null;
  return codePage({
    path,
    title: `${importPath}: ${path.slice(path.lastIndexOf('/') + 1)}`,
    language: 'go',
    intro: intro.join('\n\n').trim(),
    symbols,
  });
}

interface Commented {
  readonly node: SyntaxNode;
  readonly doc: string;
}

/** Nodes with the comment that ends on the line before each. */
function withComments(text: string, nodes: readonly SyntaxNode[]): readonly Commented[] {
  const result: Commented[] = [];
  let comments: SyntaxNode[] = [];
  for (const node of nodes) {
    if (node.type === 'comment') {
      const last = comments.at(-1);
      if (last !== undefined && !isAdjacent(text, last.endIndex, node.startIndex)) comments = [];
      comments.push(node);
      continue;
    }
    const last = comments.at(-1);
    const isDoc = last !== undefined && isAdjacent(text, last.endIndex, node.startIndex);
    result.push({ node, doc: isDoc ? commentText(comments) : '' });
    comments = [];
  }
  return result;
}

function isAdjacent(text: string, from: number, to: number): boolean {
  const between = text.slice(from, to);
  return between.trim() === '' && between.indexOf('\n') === between.lastIndexOf('\n');
}

function commentText(comments: readonly SyntaxNode[]): string {
  return comments
    .filter(({ text }) => !/^\/\/(?:go:|nolint|line )/.test(text))
    .map(({ text }) => (text.startsWith('/*') ? text.slice(2, -2) : text.slice(2).replace(/^ /, '')))
    .join('\n');
}

function declared(text: string, node: SyntaxNode, doc: string, packageName: string): readonly DescribedSymbol[] {
  switch (node.type) {
    case 'function_declaration':
    case 'method_declaration': {
      const name = functionName(node);
      return name === null ? [] : [symbol(`${packageName}.${name}`, textBefore(text, node, 'body'), doc, [])];
    }
    case 'type_declaration':
    case 'const_declaration':
    case 'var_declaration':
      return specs(text, node, doc).flatMap((spec) => specSymbols(text, spec, packageName, node.type));
    default:
      return [];
  }
}

/** `Type.Method` for a method of an exported type. */
function functionName(node: SyntaxNode): string | null {
  const name = fieldText(node, 'name');
  const receiver = fieldText(node, 'receiver');
  const type = receiver === null ? undefined : /([\p{L}_][\p{L}\p{N}_]*)(?:\[[^\]]*\])?\s*\)$/u.exec(receiver)?.[1];
  if (name === null || !isExported(name) || (receiver !== null && (type === undefined || !isExported(type))))
    return null;
  return type === undefined ? name : `${type}.${name}`;
}

function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** The specs of a declaration; the comment of one without parentheses is that of its only spec. */
function specs(text: string, node: SyntaxNode, doc: string): readonly Commented[] {
  const children = node.namedChildren.flatMap((child) =>
    child.type.endsWith('_spec_list') ? child.namedChildren : [child],
  );
  const found = withComments(text, children);
  return found.length === 1 ? found.map((spec) => ({ ...spec, doc: spec.doc === '' ? doc : spec.doc })) : found;
}

function specSymbols(
  text: string,
  { node, doc }: Commented,
  packageName: string,
  type: string,
): readonly DescribedSymbol[] {
  if (node.type === 'type_spec' || node.type === 'type_alias') {
    const name = fieldText(node, 'name');
    return name === null || !isExported(name) ? [] : [typeSymbol(text, node, `${packageName}.${name}`, doc)];
  }
  const code = `${type === 'const_declaration' ? 'const' : 'var'} ${node.text.slice(0, 400)}`;
  const names = node.namedChildren.filter(({ type: kind, text: own }) => kind === 'identifier' && isExported(own));
  return names.slice(0, 20).map((name) => symbol(`${packageName}.${name.text}`, code, doc, []));
}

function typeSymbol(text: string, node: SyntaxNode, name: string, doc: string): DescribedSymbol {
  const type = node.childForFieldName('type');
  const list =
    type?.type === 'struct_type' ? type.namedChildren[0] : type?.type === 'interface_type' ? type : undefined;
  const fields = list === undefined ? [] : withComments(text, list.namedChildren);
  const members: readonly DescribedMember[] = fields.flatMap((field) => {
    const names = field.node.namedChildren.filter(({ type: kind }) => kind === 'field_identifier');
    return names.filter(({ text: own }) => isExported(own)).map((own) => member(own.text, field));
  });
  const isDocumented = members.some((item) => item.text !== null);
  if (!isDocumented || list === undefined) return symbol(name, `type ${node.text}`, doc, []);
  const bare = members.filter((item) => item.text === null).map((item) => `\t${item.signature}`);
  const kind = list.type === 'interface_type' ? ' interface' : '';
  const header = `type ${text.slice(node.startIndex, list.startIndex).trimEnd()}${kind}`;
  return symbol(name, bare.length === 0 ? header : `${header} {\n${bare.join('\n')}\n}`, doc, members);
}

function member(name: string, { node, doc }: Commented): DescribedMember {
  const text = godocMarkdown(doc);
  return { name, signature: node.text, text: doc === '' ? null : text, deprecated: isDeprecated(doc) };
}

function symbol(name: string, code: string, doc: string, members: readonly DescribedMember[]): DescribedSymbol {
  return {
    names: [name],
    shown: name,
    code,
    body: godocMarkdown(doc),
    deprecated: isDeprecated(doc),
    members,
    separator: '.',
  };
}

function isDeprecated(doc: string): boolean {
  return /^Deprecated: /m.test(doc);
}
