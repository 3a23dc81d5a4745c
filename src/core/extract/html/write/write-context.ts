// What every block writer is given. Writers of lists, tables and boxes call back through it, so they need not know
// the dispatcher and no import goes in a circle.

import type { OutlineEntry } from '../../../model/document.ts';
import type { HtmlNode } from '../parse/html-node.ts';
import type { MarkdownLines } from '../markdown-lines.ts';

/** A term with an anchor: the signature of a function, the entry of a glossary. */
export interface Definition {
  readonly text: string;
  readonly anchor: string;
  /** 1-based line in the document's text. */
  readonly line: number;
}

export interface Writing {
  readonly lines: MarkdownLines;
  readonly resolve: (href: string) => string | null;
  readonly outline: OutlineEntry[];
  readonly definitions: Definition[];
  /** Writes nodes as blocks; inline nodes side by side become one paragraph. */
  blocks(nodes: readonly HtmlNode[]): void;
  /** Writes nodes as one paragraph. */
  paragraph(nodes: readonly HtmlNode[]): void;
  /** Inline Markdown of nodes, on one or more lines. */
  inline(nodes: readonly HtmlNode[]): string;
}
