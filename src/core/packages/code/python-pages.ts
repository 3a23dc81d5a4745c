// Pages of a Python distribution: its description, and the public names of each module with their docstrings.

import type { ReadyGrammar, SyntaxNode } from '../../chunk/code/grammar-loader.ts';
import type { PackageFile, PackageFolder } from '../package-folder.ts';
import type { PackagePage } from '../symbol-page.ts';
import type { DescribedMember, DescribedSymbol } from '../symbol-sections.ts';
import { codePage, fieldText, textBefore, withTree } from './code-page.ts';
import { docstringMarkdown } from './doc-text.ts';
import { pythonReexports } from './python-reexports.ts';

export function pythonPages(
  folder: PackageFolder,
  sources: readonly PackageFile[],
  grammar: ReadyGrammar,
): PackagePage[] {
  const modules = sources.filter(({ path }) => isModuleFile(path, folder));
  const publicNames = pythonReexports(folder, modules, grammar);
  return modules.flatMap(({ path }) => {
    const text = folder.read(path);
    const page =
      text === undefined ? null : withTree(grammar, text, (root) => modulePage(path, text, root, publicNames));
    return page === null ? [] : [page];
  });
}

/** A stub counts only where there is no module with docstrings. */
function isModuleFile(path: string, { files }: PackageFolder): boolean {
  if (path.endsWith('.py')) return !/(?:^|\/)(?:setup|conftest|__main__)\.py$/.test(path);
  return path.endsWith('.pyi') && !files.some((file) => file.path === path.slice(0, -1));
}

/** `click/types.py` is `click.types`. */
export function moduleName(path: string): string {
  return path
    .replace(/\.pyi?$/, '')
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.');
}

function modulePage(
  path: string,
  text: string,
  root: SyntaxNode,
  publicNames: ReadonlyMap<string, string>,
): PackagePage | null {
  const module = moduleName(path);
  const isPrivate = module.split('.').some((part) => part.startsWith('_') && part !== '__init__');
  const symbols = definitions(text, root.namedChildren).flatMap((definition) => {
    const full = `${module}.${definition.name}`;
    const exported = publicNames.get(full);
    if (exported === undefined && (isPrivate || definition.name.startsWith('_'))) return [];
    return [
      {
        ...definition.symbol,
        names: exported === undefined ? [full] : [...new Set([exported, full])].slice(0, isPrivate ? 1 : 2),
      },
    ];
  });
  const intro = docstringMarkdown(docstringOf(root) ?? '');
  if (symbols.length === 0 && (intro === '' || isPrivate)) return null;
  return codePage({ path, title: module, language: 'python', intro, symbols });
}

interface PythonDefinition {
  readonly name: string;
  readonly symbol: DescribedSymbol;
}

/** Blocks inside conditions. */
const MAX_DEPTH = 3;
const MAX_CODE_CHARS = 4000;

/** Functions, classes and documented variables, also below a condition. */
function definitions(text: string, nodes: readonly SyntaxNode[], depth = 0): readonly PythonDefinition[] {
  const found = new Map<string, PythonDefinition>();
  for (const [at, node] of nodes.entries()) {
    const isCondition = node.type === 'if_statement' || node.type === 'try_statement';
    if (isCondition && depth < MAX_DEPTH) {
      const inner = definitions(text, blockNodes(node), depth + 1);
      for (const definition of inner.filter(({ name }) => !found.has(name))) found.set(definition.name, definition);
      continue;
    }
    const definition = definitionOf(text, node) ?? variableOf(node, nodes[at + 1]);
    if (definition !== null) found.set(definition.name, withOverload(found.get(definition.name), definition));
  }
  return [...found.values()];
}

function blockNodes(node: SyntaxNode): readonly SyntaxNode[] {
  return node.namedChildren.flatMap((child) => {
    if (child.type === 'block') return child.namedChildren;
    return child.namedChildren.filter(({ type }) => type === 'block').flatMap((block) => block.namedChildren);
  });
}

/** Overloads, and the getter and setter of a property, are one symbol. */
function withOverload(known: PythonDefinition | undefined, next: PythonDefinition): PythonDefinition {
  if (known === undefined) return next;
  const code = `${known.symbol.code}\n${next.symbol.code}`;
  const body = known.symbol.body === '' ? next.symbol.body : known.symbol.body;
  return code.length > MAX_CODE_CHARS ? known : { ...next, symbol: { ...next.symbol, code, body } };
}

function definitionOf(text: string, node: SyntaxNode): PythonDefinition | null {
  const inner = node.type === 'decorated_definition' ? node.childForFieldName('definition') : node;
  const name = inner === null ? null : fieldText(inner, 'name');
  if (inner === null || name === null) return null;
  const header = signatureOf(text, node, inner);
  if (inner.type === 'function_definition') return { name, symbol: described(name, header, inner, []) };
  if (inner.type !== 'class_definition') return null;
  const members = classMembers(text, inner);
  const bare = members
    .filter((member) => member.text === null)
    .map(({ signature }) => `    ${signature.replaceAll('\n', '\n    ')}`);
  return { name, symbol: described(name, [header, ...bare].join('\n'), inner, members) };
}

/** A variable with a string below it. */
function variableOf(node: SyntaxNode, next: SyntaxNode | undefined): PythonDefinition | null {
  const doc = next === undefined ? null : stringText(next);
  const target = node.type === 'expression_statement' ? node.namedChildren[0] : undefined;
  const name = target?.type === 'assignment' ? fieldText(target, 'left') : null;
  if (doc === null || name === null || !/^\w+$/.test(name)) return null;
  const symbol = { names: [], shown: name, code: node.text.slice(0, 300), body: docstringMarkdown(doc) };
  return { name, symbol: { ...symbol, deprecated: false, members: [], separator: '.' } };
}

function described(name: string, code: string, node: SyntaxNode, members: readonly DescribedMember[]): DescribedSymbol {
  const doc = docstringOf(node.childForFieldName('body')) ?? '';
  return {
    names: [],
    shown: name,
    code,
    body: docstringMarkdown(doc),
    deprecated: isDeprecated(doc),
    members,
    separator: '.',
  };
}

/** From the decorators to the colon; the parameters of `__init__` are a member of its class. */
function signatureOf(text: string, node: SyntaxNode, inner: SyntaxNode): string {
  const margin = ' '.repeat(Math.max(0, node.startIndex - text.lastIndexOf('\n', node.startIndex) - 1));
  const decorators = text.slice(node.startIndex, inner.startIndex).replaceAll(`\n${margin}`, '\n');
  return `${decorators}${textBefore(text, inner, 'body').replaceAll(`\n${margin}`, '\n')}`;
}

function classMembers(text: string, node: SyntaxNode): readonly DescribedMember[] {
  const children = node.childForFieldName('body')?.namedChildren ?? [];
  return definitions(text, children).flatMap(({ name, symbol }) => {
    const isShown = !name.startsWith('_') || name === '__init__' || name === '__call__';
    if (!isShown) return [];
    return [
      { name, signature: symbol.code, text: symbol.body === '' ? null : symbol.body, deprecated: symbol.deprecated },
    ];
  });
}

/** The string that a module, class or function begins with. */
function docstringOf(body: SyntaxNode | null): string | null {
  const first = body?.namedChildren.find(({ type }) => type !== 'comment');
  return first === undefined ? null : stringText(first);
}

function stringText(node: SyntaxNode): string | null {
  const [string] = node.type === 'expression_statement' ? node.namedChildren : [];
  if (string?.type !== 'string') return null;
  const [, text] = /^[rRuUbB]{0,2}("""|'''|"|')([\s\S]*)\1$/.exec(string.text)?.slice(1) ?? [];
  return text ?? null;
}

function isDeprecated(doc: string): boolean {
  return /^\s*(?:\.\. deprecated::|deprecated\b)/im.test(doc);
}

/** The description in METADATA, usually a README: headers as in an e-mail, then the text. */
export function metadataPage(path: string, metadata: string, title: string): PackagePage | null {
  const [head = '', ...rest] = metadata.replaceAll('\r', '').split('\n\n');
  const headers = parseHeaders(head);
  const body = rest.join('\n\n').trim();
  const description = body === '' || body === 'UNKNOWN' ? (headers.get('description') ?? '') : body;
  const summary = headers.get('summary') ?? '';
  if (description !== '')
    return { path, title, mediaType: descriptionType(headers), text: `${description}\n`, symbols: [] };
  return summary === ''
    ? null
    : { path, title, mediaType: 'text/markdown', text: `# ${title}\n\n${summary}\n`, symbols: [] };
}

/** reStructuredText, unless the package declares another markup. */
function descriptionType(headers: ReadonlyMap<string, string>): string {
  const [type = ''] = (headers.get('description-content-type') ?? '').split(';');
  return ['text/markdown', 'text/plain'].find((known) => type.trim() === known) ?? 'text/x-rst';
}

/** Lines that begin with white space continue the header above. */
function parseHeaders(head: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let last = '';
  for (const line of head.split('\n')) {
    const [, name, value = ''] = /^([A-Za-z-]{1,60}):\s?(.*)$/.exec(line) ?? [];
    if (/^\s/.test(line) && last !== '')
      headers.set(last, `${headers.get(last) ?? ''}\n${line.replace(/^ {8}|^ {7}\|/, '')}`);
    else if (name !== undefined) {
      last = name.toLowerCase();
      if (!headers.has(last)) headers.set(last, value);
    }
  }
  return headers;
}
