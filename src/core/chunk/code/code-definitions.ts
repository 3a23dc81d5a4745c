// Finds the definitions in a syntax tree, with the comments above them, as spans that cover the file.

import type { SyntaxNode } from './grammar-loader.ts';
import type { Grammar } from './grammars.table.ts';
import { lineStart } from '../../text/lines.ts';

/** A span of a file: a definition with its comments, or a statement. */
export interface CodePart {
  readonly start: number;
  readonly end: number;
  /** `Class.method`; null if the part defines nothing. */
  readonly symbol: string | null;
  /** Members, if the definition is a container. */
  readonly body: readonly SyntaxNode[];
}

/** The parts of these sibling nodes; together they cover `text[start, end)`. */
export function codeParts(
  text: string,
  nodes: readonly SyntaxNode[],
  range: { readonly start: number; readonly end: number; readonly owner: string | null },
  grammar: Grammar,
): CodePart[] {
  const parts: Array<Omit<CodePart, 'end'>> = [];
  let commentAt: number | null = null;
  let commentEnd = 0;
  for (const node of nodes) {
    if (isComment(node)) {
      const continuesComment = commentAt !== null && isAdjacent(text, commentEnd, node.startIndex);
      if (!continuesComment) commentAt = node.startIndex;
      commentEnd = node.endIndex;
      continue;
    }
    const ownComment = commentAt !== null && isAdjacent(text, commentEnd, node.startIndex);
    const at = ownComment ? (commentAt ?? node.startIndex) : node.startIndex;
    commentAt = null;
    parts.push({ start: lineStart(text, at), ...describe(node, range.owner, grammar) });
  }
  return coverRange(text, parts, range);
}

/** Text before the first definition is a separate part: it describes the file or the class. */
function coverRange(
  text: string,
  definitions: ReadonlyArray<Omit<CodePart, 'end'>>,
  range: { readonly start: number; readonly end: number },
): CodePart[] {
  const first = definitions[0];
  const hasHeader = first !== undefined && text.slice(range.start, first.start).trim() !== '';
  const parts = hasHeader ? [{ start: range.start, symbol: null, body: [] }, ...definitions] : definitions;
  return parts.map((part, index) => ({
    ...part,
    start: index === 0 ? range.start : part.start,
    end: parts[index + 1]?.start ?? range.end,
  }));
}

/** More names than these say nothing about a chunk of the size of a class. */
const MAX_NESTED_NAMES = 200;

/** The names of the definitions inside a container, down to `depth` levels, in the order of the file. */
export function nestedNames({ body, symbol }: CodePart, grammar: Grammar, depth: number): string[] {
  const names: string[] = [];
  const visit = (nodes: readonly SyntaxNode[], owner: string | null, levels: number): void => {
    for (const node of nodes) {
      if (names.length === MAX_NESTED_NAMES) return;
      const inner = describe(node, owner, grammar);
      if (inner.symbol !== null && !names.includes(inner.symbol)) names.push(inner.symbol);
      if (levels > 1) visit(inner.body, inner.symbol ?? owner, levels - 1);
    }
  };
  if (depth > 0) visit(body, symbol, depth);
  return names.filter((name) => name !== symbol);
}

function describe(node: SyntaxNode, owner: string | null, grammar: Grammar): Pick<CodePart, 'symbol' | 'body'> {
  const inner = unwrap(node, grammar);
  if (grammar.containers.includes(inner.type) && !grammar.definitions.includes(inner.type)) {
    return { symbol: null, body: inner.namedChildren };
  }
  // A comma between names separates the names of a chunk.
  const name = grammar.definitions.includes(inner.type) ? (nameOf(inner)?.replaceAll(', ', ',') ?? null) : null;
  if (name === null) return { symbol: null, body: [] };
  const body = grammar.containers.includes(inner.type) ? membersOf(inner, grammar) : [];
  return { symbol: owner === null ? name : `${owner}.${name}`, body };
}

function unwrap(node: SyntaxNode, grammar: Grammar): SyntaxNode {
  if (!grammar.wrappers.includes(node.type)) return node;
  return node.namedChildren.find((child) => grammar.definitions.includes(child.type)) ?? node;
}

function membersOf(node: SyntaxNode, grammar: Grammar): readonly SyntaxNode[] {
  return node.namedChildren.find((child) => grammar.bodies.includes(child.type))?.namedChildren ?? [];
}

function nameOf(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'lexical_declaration':
      return functionVariable(node);
    case 'impl_item':
      return fieldText(node, 'type');
    case 'type_declaration':
      return fieldText(node.namedChildren[0], 'name');
    default:
      return withReceiver(node, fieldText(node, 'name') ?? declaredName(node));
  }
}

function fieldText(node: SyntaxNode | undefined, field: string): string | null {
  return node?.childForFieldName(field)?.text ?? null;
}

/** A Go method names its receiver type: `func (s *Server) Serve()` is `Server.Serve`. */
function withReceiver(node: SyntaxNode, name: string | null): string | null {
  const receiver = name === null ? null : fieldText(node, 'receiver');
  if (receiver === null) return name;
  const type = /([\p{L}_][\p{L}\p{N}_]*)(?:\[[^\]]*\])?\s*\)$/u.exec(receiver)?.[1];
  return type === undefined ? name : `${type}.${name}`;
}

/** `const parse = (text) => …` defines a function; `const limit = 3` does not. */
function functionVariable(node: SyntaxNode): string | null {
  const declarator = node.namedChildren.find((child) => child.type === 'variable_declarator');
  const value = declarator?.childForFieldName('value')?.type ?? '';
  const isDefinition = value === 'arrow_function' || value === 'function_expression' || value === 'class';
  return isDefinition ? (declarator?.childForFieldName('name')?.text ?? null) : null;
}

const MAX_DECLARATORS = 20;

/** In C the name is nested below pointers, references and parameters. */
function declaredName(node: SyntaxNode): string | null {
  let inner: SyntaxNode | null = node;
  for (let depth = 0; depth < MAX_DECLARATORS && inner !== null; depth += 1) {
    const next: SyntaxNode | null = inner.childForFieldName('declarator');
    if (next === null) return inner.type === node.type ? null : inner.text;
    inner = next;
  }
  return null;
}

function isComment(node: SyntaxNode): boolean {
  return node.type.endsWith('comment') || node.type === 'attribute_item' || node.type === 'decorator';
}

/** Whether there is at most one line end between two nodes. */
function isAdjacent(text: string, from: number, to: number): boolean {
  const between = text.slice(from, to);
  return between.indexOf('\n') === between.lastIndexOf('\n');
}
