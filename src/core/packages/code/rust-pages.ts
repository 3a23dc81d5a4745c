// Pages of a Rust crate: the public items of each file, with their doc comments.

import type { ReadyGrammar, SyntaxNode } from '../../chunk/code/grammar-loader.ts';
import type { PackageFile, PackageFolder } from '../package-folder.ts';
import type { PackagePage } from '../symbol-page.ts';
import type { DescribedMember, DescribedSymbol } from '../symbol-sections.ts';
import { codePage, fieldText, textBefore, withTree } from './code-page.ts';
import { rustdocMarkdown } from './doc-text.ts';

/** Modules and macros inside modules. */
const MAX_DEPTH = 8;
/** A type without comments on its fields is shown whole up to this. */
const MAX_WHOLE_CHARS = 1500;

export function rustPages(
  folder: PackageFolder,
  sources: readonly PackageFile[],
  grammar: ReadyGrammar,
): PackagePage[] {
  const crate = folder.manifest.name.replaceAll('-', '_');
  return sources.flatMap(({ path }) => {
    if (!path.startsWith('src/') || !path.endsWith('.rs')) return [];
    const text = folder.read(path);
    if (text === undefined) return [];
    const walk: Walk = { crate, grammar, symbols: [], intro: [] };
    if (withTree(grammar, text, (root) => (readItems(walk, text, root.namedChildren, 0), true)) === null) return [];
    const module = path
      .slice('src/'.length, -'.rs'.length)
      .replace(/(?:^|\/)(?:mod|lib)$/, '')
      .replaceAll('/', '::');
    const title = module === '' ? crate : `${crate}::${module}`;
    const page = codePage({
      path,
      title,
      language: 'rust',
      intro: rustdocMarkdown(walk.intro.join('\n')),
      symbols: walk.symbols,
    });
    return page === null ? [] : [page];
  });
}

interface Walk {
  readonly crate: string;
  readonly grammar: ReadyGrammar;
  readonly symbols: DescribedSymbol[];
  /** Comments about the file itself. */
  readonly intro: string[];
}

interface Item {
  readonly node: SyntaxNode;
  readonly doc: string | null;
  readonly attributes: readonly string[];
}

function readItems(walk: Walk, text: string, nodes: readonly SyntaxNode[], depth: number): void {
  const { items, inner } = collectItems(nodes);
  if (depth === 0) walk.intro.push(...inner);
  for (const item of items) if (!isHidden(item)) readItem(walk, text, item, depth);
}

/** Nodes with the doc comments and attributes above each. */
function collectItems(nodes: readonly SyntaxNode[]): {
  readonly items: readonly Item[];
  readonly inner: readonly string[];
} {
  const items: Item[] = [];
  const inner: string[] = [];
  let doc: string[] = [];
  let attributes: string[] = [];
  for (const node of nodes) {
    const comment = node.type === 'line_comment' || node.type === 'block_comment' ? node.text : null;
    if (node.type === 'attribute_item') {
      attributes.push(node.text);
      const literal = /^#\[doc = "((?:[^"\\]|\\.)*)"\]$/.exec(node.text)?.[1];
      if (literal !== undefined) doc.push(literal.replaceAll('\\"', '"'));
    } else if (comment === null) {
      items.push({ node, doc: doc.length === 0 ? null : doc.join('\n'), attributes });
      doc = [];
      attributes = [];
    } else if (/^\/\/!|^\/\*!/.test(comment)) inner.push(commentBody(comment));
    else if (/^\/\/\/(?!\/)|^\/\*\*(?!\*)/.test(comment)) doc.push(commentBody(comment));
  }
  return { items, inner };
}

function commentBody(comment: string): string {
  if (comment.startsWith('//')) return comment.slice(3).replace(/^ /, '').trimEnd();
  return comment
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
}

function isHidden({ attributes }: Item): boolean {
  return attributes.some((attribute) => /doc\(hidden\)|cfg\(test\)/.test(attribute));
}

function readItem(walk: Walk, text: string, item: Item, depth: number): void {
  const { node } = item;
  const name = fieldText(node, 'name');
  if (node.type === 'impl_item') readImpl(walk, text, node);
  else if (node.type === 'mod_item') readModule(walk, text, node, depth);
  else if (node.type === 'macro_definition') readMacroDefinition(walk, item, name);
  else if (node.type === 'expression_statement' || node.type === 'macro_invocation') readMacro(walk, node, depth);
  else if (name !== null && ITEM_TYPES.has(node.type) && isPublic(node)) {
    addSymbol(walk, item, { name, ...describeItem(text, node) });
  }
}

const ITEM_TYPES = new Set(
  'trait_item struct_item enum_item union_item function_item function_signature_item type_item const_item static_item'.split(
    ' ',
  ),
);

function describeItem(text: string, node: SyntaxNode): Pick<DescribedSymbol, 'code' | 'members'> {
  const header = textBefore(text, node, 'body');
  if (node.type === 'trait_item') return { code: header, members: traitMembers(text, node) };
  const members = fieldMembers(text, node);
  const isType = node.type === 'struct_item' || node.type === 'enum_item' || node.type === 'union_item';
  const isWhole = isType && members.every((member) => member.text === null) && node.text.length < MAX_WHOLE_CHARS;
  return { code: isWhole ? node.text : header, members };
}

function readModule(walk: Walk, text: string, node: SyntaxNode, depth: number): void {
  const body = node.childForFieldName('body');
  if (isPublic(node) && body !== null && depth < MAX_DEPTH) readItems(walk, text, body.namedChildren, depth + 1);
}

/** Not `pub(crate)`. */
function isPublic(node: SyntaxNode): boolean {
  return node.namedChildren.some(({ type, text }) => type === 'visibility_modifier' && text === 'pub');
}

/** `cfg_rt! { … }` only adds a condition to the items inside. */
function readMacro(walk: Walk, node: SyntaxNode, depth: number): void {
  const call = node.type === 'expression_statement' ? node.namedChildren[0] : node;
  if (call === undefined || depth >= MAX_DEPTH || !/^(?:cfg_|feature)\w*!/.test(call.text)) return;
  const open = call.text.indexOf('{');
  const inner = call.text.slice(open + 1, call.text.lastIndexOf('}'));
  if (open !== -1) withTree(walk.grammar, inner, (root) => readItems(walk, inner, root.namedChildren, depth + 1));
}

const PUBLIC_ITEM = /^pub (?:const |async |unsafe )*(?:fn|struct|enum|trait) (\w+)/;
const MAX_SIGNATURE_LINES = 12;

/** An exported macro is a symbol. A private one may hold the documented items that it writes. */
function readMacroDefinition(walk: Walk, item: Item, name: string | null): void {
  if (name === null) return;
  if (item.attributes.some((attribute) => attribute.includes('macro_export'))) {
    addSymbol(walk, item, { name, code: `macro_rules! ${name}`, members: [] });
    return;
  }
  let doc: string[] = [];
  const lines = item.node.text.split('\n');
  for (const [at, line] of lines.entries()) {
    const bare = line.trim();
    const shown = PUBLIC_ITEM.exec(bare)?.[1];
    if (bare.startsWith('///')) doc.push(commentBody(bare));
    else if (shown !== undefined && doc.length > 0) {
      const code =
        lines
          .slice(at, at + MAX_SIGNATURE_LINES)
          .join('\n')
          .split(/[{;]/, 1)[0] ?? '';
      const body = rustdocMarkdown(doc.join('\n'));
      walk.symbols.push({ names: [], shown, code: code.trim(), body, deprecated: false, members: [], separator: '::' });
    }
    if (!bare.startsWith('///') && !bare.startsWith('#[')) doc = [];
  }
}

/** Public methods; those of a trait are described with the trait. */
function readImpl(walk: Walk, text: string, node: SyntaxNode): void {
  const type = /^(?:dyn\s+)?(?:[\w]+::)*(\w+)/.exec(fieldText(node, 'type') ?? '')?.[1];
  const body = node.childForFieldName('body');
  if (type === undefined || body === null || node.childForFieldName('trait') !== null) return;
  for (const item of collectItems(body.namedChildren).items) {
    const name = fieldText(item.node, 'name');
    if (name === null || isHidden(item) || !isPublic(item.node)) continue;
    const code = textBefore(text, item.node, item.node.type === 'function_item' ? 'body' : 'value');
    addSymbol(walk, item, { name: `${type}::${name}`, code, members: [] });
  }
}

/** The variants of an enum, or the public fields of a type. */
function fieldMembers(text: string, node: SyntaxNode): readonly DescribedMember[] {
  const body = node.childForFieldName('body');
  const hasFields = body?.type === 'field_declaration_list' || body?.type === 'enum_variant_list';
  const fields = hasFields ? collectItems(body.namedChildren).items : [];
  const shown = fields.filter((field) => !isHidden(field) && (node.type === 'enum_item' || isPublic(field.node)));
  return shown.map((field) => memberOf(text, field, ''));
}

function traitMembers(text: string, node: SyntaxNode): readonly DescribedMember[] {
  const items = collectItems(node.childForFieldName('body')?.namedChildren ?? []).items;
  return items.filter((item) => !isHidden(item)).map((item) => memberOf(text, item, 'body'));
}

function memberOf(text: string, item: Item, body: string): DescribedMember {
  const { node, doc } = item;
  const signature = body === '' ? node.text : textBefore(text, node, body);
  return {
    name: fieldText(node, 'name'),
    signature,
    text: doc === null ? null : rustdocMarkdown(doc),
    deprecated: isDeprecated(item),
  };
}

function isDeprecated({ attributes }: Item): boolean {
  return attributes.some((attribute) => /^#\[deprecated\b/.test(attribute));
}

function addSymbol(
  walk: Walk,
  item: Item,
  { name, code, members }: Pick<DescribedSymbol, 'code' | 'members'> & { readonly name: string },
): void {
  const note = item.attributes
    .map((attribute) => /^#\[deprecated\(.*?note\s*=\s*"([^"]*)"/s.exec(attribute)?.[1])
    .find((text) => text !== undefined);
  const body = [note === undefined ? '' : `**Deprecated.** ${note}`, rustdocMarkdown(item.doc ?? '')]
    .filter((part) => part !== '')
    .join('\n\n');
  const full = `${walk.crate}::${name}`;
  walk.symbols.push({
    names: [full],
    shown: full,
    code,
    body,
    deprecated: isDeprecated(item),
    members,
    separator: '::',
  });
}
