// Shared by the readers of source files: parsing a file with its grammar, and the page of its symbols.

import type { ReadyGrammar, SyntaxNode } from '../../chunk/code/grammar-loader.ts';
import { renderSymbolPage, type PackagePage } from '../symbol-page.ts';
import { fittingSections, symbolSections, type DescribedSymbol } from '../symbol-sections.ts';

/** A longer file is data. */
const MAX_SOURCE_CHARS = 4_000_000;

/** Null if the parser gave up. The tree is freed when `use` returns. */
export function withTree<Result>(
  grammar: ReadyGrammar,
  text: string,
  use: (root: SyntaxNode) => Result,
): Result | null {
  if (text.length > MAX_SOURCE_CHARS) return null;
  const tree = grammar.parse(text);
  if (tree === null) return null;
  try {
    return use(tree.rootNode);
  } finally {
    tree.delete();
  }
}

export interface CodePage {
  readonly path: string;
  readonly title: string;
  readonly language: string;
  readonly intro: string;
  readonly symbols: readonly DescribedSymbol[];
}

/** Null if the file has nothing to say. */
export function codePage({ symbols, ...page }: CodePage): PackagePage | null {
  if (symbols.length === 0 && page.intro.trim() === '') return null;
  return renderSymbolPage({ ...page, sections: fittingSections(symbols, symbolSections) });
}

export function fieldText(node: SyntaxNode, field: string): string | null {
  return node.childForFieldName(field)?.text ?? null;
}

/** The text of a node up to where one of its fields begins, in one piece. */
export function textBefore(text: string, node: SyntaxNode, field: string): string {
  const body = node.childForFieldName(field);
  return text.slice(node.startIndex, body?.startIndex ?? node.endIndex).trimEnd();
}
