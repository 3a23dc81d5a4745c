// Parses a document into a tree of markdown-it tokens. HTML is text, bare addresses are not linked, and where a link may lead is
// decided when it is rendered. Inline content is parsed when it is shown.

import MarkdownIt from 'markdown-it';
import type Token from 'markdown-it/lib/token.mjs';

export interface TokenNode {
  readonly token: Token;
  readonly inside: readonly TokenNode[];
}

export interface ParsedMarkdown {
  readonly blocks: readonly TokenNode[];
  /** Parses the content of an `inline` token. */
  readonly inlinesOf: (content: string) => readonly TokenNode[];
}

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
parser.core.ruler.disable('inline');
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;
parser.normalizeLinkText = (url) => url;

export function parseMarkdown(text: string): ParsedMarkdown {
  /** Holds the link definitions of the document. */
  const env = {};
  return {
    blocks: treeOf(parser.parse(text, env)),
    inlinesOf(content) {
      const tokens: Token[] = [];
      parser.inline.parse(content, parser, env, tokens);
      return treeOf(tokens);
    },
  };
}

/** markdown-it caps the nesting of tokens, so the tree is never deep. */
function treeOf(tokens: readonly Token[]): readonly TokenNode[] {
  const root: TokenNode[] = [];
  const open = [root];
  for (const token of tokens) {
    if (token.nesting === -1) {
      open.pop();
      continue;
    }
    const inside: TokenNode[] = [];
    open.at(-1)?.push({ token, inside });
    if (token.nesting === 1) open.push(inside);
  }
  return root;
}
