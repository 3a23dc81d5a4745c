// Renders a document. Elements are built from parsed blocks: the text of a document is never parsed as HTML, no image is loaded,
// and a link only leads where `safeLink` allows.

import { memo, useMemo, useState, type ReactNode } from 'react';
import { parseBlocks, type Block } from './parse-blocks.ts';
import { parseInline, type Inline } from './parse-inline.ts';
import { safeLink } from './safe-link.ts';

export interface PageTarget {
  readonly url: string;
  readonly fragment: string;
}

export interface MarkdownViewProps {
  readonly text: string;
  /** The base URL for relative links. */
  readonly base: string;
  /** Renders a link to a page on the same host. */
  readonly pageLink: (target: PageTarget, inside: ReactNode) => ReactNode;
  /** The title shown above the document: a first heading with the same text is omitted. */
  readonly title?: string;
}

/** More than anyone scrolls through at once; the rest is shown on request. */
const INITIAL_BLOCKS = 600;

export const MarkdownView = memo(function MarkdownView({ text, base, pageLink, title }: MarkdownViewProps): ReactNode {
  const blocks = useMemo(() => withoutTitle(parseBlocks(text), title), [text, title]);
  const [showsAll, setShowsAll] = useState(false);
  const levels = useMemo(() => headingLevels(blocks), [blocks]);
  const context = { base, pageLink };
  const shown = showsAll ? blocks : blocks.slice(0, INITIAL_BLOCKS);
  return (
    <div className="markdown">
      {blocksOf(shown, context, levels)}
      {shown.length < blocks.length && (
        <button className="button" type="button" onClick={() => setShowsAll(true)}>
          Show {blocks.length - shown.length} more blocks
        </button>
      )}
    </div>
  );
});

function withoutTitle(blocks: readonly Block[], title: string | undefined): readonly Block[] {
  const [first] = blocks;
  return first?.kind === 'heading' && first.text === title ? blocks.slice(1) : blocks;
}

type Context = Pick<MarkdownViewProps, 'base' | 'pageLink'>;

/** Heading levels below the h1 of the view, without gaps: a document that starts at level 3 starts at h2 here. */
function headingLevels(blocks: readonly Block[]): ReadonlyMap<Block, number> {
  const levels = new Map<Block, number>();
  const open: number[] = [];
  for (const block of blocks) {
    if (block.kind !== 'heading') continue;
    while (open.length > 0 && (open.at(-1) ?? 0) >= block.level) open.pop();
    open.push(block.level);
    levels.set(block, open.length + 1);
  }
  return levels;
}

/** Blocks never move, so their index is a stable key. */
function blocksOf(blocks: readonly Block[], context: Context, levels?: ReadonlyMap<Block, number>): ReactNode {
  return blocks.map((block, at) => <BlockView key={at} block={block} context={context} level={levels?.get(block)} />);
}

interface BlockViewProps {
  readonly block: Block;
  readonly context: Context;
  /** The level of a heading; undefined inside lists and quotes, where a heading would break the outline of the page. */
  readonly level: number | undefined;
}

function BlockView({ block, context, level }: BlockViewProps): ReactNode {
  switch (block.kind) {
    case 'heading': {
      const Tag = level === undefined ? 'p' : (HEADINGS[level - 2] ?? 'h6');
      return <Tag id={`line-${block.line}`}>{inlinesOf(parseInline(block.text), context)}</Tag>;
    }
    case 'paragraph':
      return <p>{inlinesOf(parseInline(block.text), context)}</p>;
    case 'code':
      return (
        <pre data-language={block.language === '' ? undefined : block.language} tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{blocksOf(item, context)}</li>);
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case 'quote':
      return <blockquote>{blocksOf(block.blocks, context)}</blockquote>;
    case 'table':
      return <TableView block={block} context={context} />;
    case 'rule':
      return <hr />;
  }
}

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

function TableView({
  block,
  context,
}: {
  readonly block: Extract<Block, { kind: 'table' }>;
  readonly context: Context;
}): ReactNode {
  return (
    <div className="wide-table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {block.head.map((cell, at) => (
              <th key={at} scope="col">
                {cell === '' ? (
                  <span className="visually-hidden">column {at + 1}</span>
                ) : (
                  inlinesOf(parseInline(cell), context)
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{inlinesOf(parseInline(cell), context)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlinesOf(inlines: readonly Inline[], context: Context): ReactNode {
  return inlines.map((inline, at) => <InlineView key={at} inline={inline} context={context} />);
}

function InlineView({ inline, context }: { readonly inline: Inline; readonly context: Context }): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'strong':
    case 'em':
    case 'del': {
      const Tag = inline.kind;
      return <Tag>{inlinesOf(inline.inside, context)}</Tag>;
    }
    case 'link':
      return <LinkView target={inline.target} context={context} inside={inlinesOf(inline.inside, context)} />;
    case 'image':
      return <span className="image">image{inline.alt === '' ? '' : `: ${inline.alt}`}</span>;
    case 'break':
      return <br />;
  }
}

interface LinkViewProps {
  readonly target: string;
  readonly context: Context;
  readonly inside: ReactNode;
}

function LinkView({ target, context, inside }: LinkViewProps): ReactNode {
  const link = safeLink(target, context.base);
  switch (link.kind) {
    case 'page':
      return context.pageLink(link, inside);
    case 'web':
      return (
        <a href={link.url} target="_blank" rel="noreferrer noopener">
          {inside}
        </a>
      );
    case 'none':
      return <span>{inside}</span>;
  }
}
