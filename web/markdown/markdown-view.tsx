// Renders a document. Elements are built from tokens: the text of a document is never parsed as HTML, no image is loaded,
// and a link only leads where `safeLink` allows.

import { memo, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { parseMarkdown, type ParsedMarkdown, type TokenNode } from './parse-markdown.ts';
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
  /** The line to scroll to, from 1. */
  readonly line?: number | undefined;
}

/** More than anyone scrolls through at once; the rest is shown on request. */
const INITIAL_BLOCKS = 600;

export const MarkdownView = memo(function MarkdownView({
  text,
  base,
  pageLink,
  title,
  line,
}: MarkdownViewProps): ReactNode {
  const { blocks, inlinesOf } = useMemo(() => withoutTitle(parseMarkdown(text), title), [text, title]);
  const [showsAll, setShowsAll] = useState(false);
  const levels = useMemo(() => headingLevels(blocks), [blocks]);
  const context = { base, pageLink, inlinesOf };
  const target = line === undefined ? -1 : blocks.findLastIndex(({ token }) => (token.map?.[0] ?? Infinity) < line);
  const shown = showsAll || target >= INITIAL_BLOCKS ? blocks : blocks.slice(0, INITIAL_BLOCKS);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.children.item(target)?.scrollIntoView(), [text, target]);
  return (
    <div className="markdown" ref={container}>
      {blocksOf(shown, context, levels)}
      {shown.length < blocks.length && (
        <button className="button" type="button" onClick={() => setShowsAll(true)}>
          Show {blocks.length - shown.length} more blocks
        </button>
      )}
    </div>
  );
});

function withoutTitle({ blocks, inlinesOf }: ParsedMarkdown, title: string | undefined): ParsedMarkdown {
  const [first] = blocks;
  const isTitle = first?.token.type === 'heading_open' && first.inside[0]?.token.content === title;
  return { blocks: isTitle ? blocks.slice(1) : blocks, inlinesOf };
}

type Context = Pick<MarkdownViewProps, 'base' | 'pageLink'> & Pick<ParsedMarkdown, 'inlinesOf'>;

/** Heading levels below the h1 of the view, without gaps: a document that starts at level 3 starts at h2 here. */
function headingLevels(blocks: readonly TokenNode[]): ReadonlyMap<TokenNode, number> {
  const levels = new Map<TokenNode, number>();
  const open: number[] = [];
  for (const block of blocks) {
    if (block.token.type !== 'heading_open') continue;
    const level = Number(block.token.tag.slice(1));
    while (open.length > 0 && (open.at(-1) ?? 0) >= level) open.pop();
    open.push(level);
    levels.set(block, open.length + 1);
  }
  return levels;
}

/** Tokens never move, so their index is a stable key. */
function blocksOf(blocks: readonly TokenNode[], context: Context, levels?: ReadonlyMap<TokenNode, number>): ReactNode {
  return blocks.map((block, at) => <BlockView key={at} node={block} context={context} level={levels?.get(block)} />);
}

interface NodeProps {
  readonly node: TokenNode;
  readonly context: Context;
}

interface BlockViewProps extends NodeProps {
  /** The level of a heading; undefined inside lists and quotes, where a heading would break the outline of the page. */
  readonly level: number | undefined;
}

function BlockView({ node, context, level }: BlockViewProps): ReactNode {
  const { token, inside } = node;
  const Container = CONTAINERS.get(token.type);
  if (Container !== undefined) return <Container>{blocksOf(inside, context)}</Container>;
  switch (token.type) {
    case 'heading_open':
      return <HeadingView node={node} context={context} level={level} />;
    case 'inline':
      return inlinesIn(context.inlinesOf(token.content), context);
    case 'fence':
    case 'code_block':
      return <CodeView code={token.content} info={token.info} />;
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{blocksOf(inside, context)}</ol>;
    case 'table_open':
      return <TableView node={node} context={context} />;
    case 'hr':
      return <hr />;
    default:
      return token.content;
  }
}

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;
const CONTAINERS: ReadonlyMap<string, 'p' | 'ul' | 'li' | 'blockquote'> = new Map([
  ['paragraph_open', 'p'],
  ['bullet_list_open', 'ul'],
  ['list_item_open', 'li'],
  ['blockquote_open', 'blockquote'],
] as const);

function HeadingView({ node: { token, inside }, context, level }: BlockViewProps): ReactNode {
  const Tag = level === undefined ? 'p' : (HEADINGS[level - 2] ?? 'h6');
  return <Tag id={`line-${(token.map?.[0] ?? 0) + 1}`}>{blocksOf(inside, context)}</Tag>;
}

function CodeView({ code, info }: { readonly code: string; readonly info: string }): ReactNode {
  const [language = ''] = info.trim().split(/\s/, 1);
  return (
    <pre data-language={language === '' ? undefined : language} tabIndex={0}>
      <code>{code.replace(/\n$/, '')}</code>
    </pre>
  );
}

function TableView({ node, context }: NodeProps): ReactNode {
  const [head, body] = node.inside;
  return (
    <div className="wide-table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head?.inside[0]?.inside.map(({ inside }, at) => (
              <th key={at} scope="col">
                {(inside[0]?.token.content ?? '') === '' ? (
                  <span className="visually-hidden">column {at + 1}</span>
                ) : (
                  blocksOf(inside, context)
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body?.inside.map((row, at) => (
            <tr key={at}>
              {row.inside.map(({ inside }, column) => (
                <td key={column}>{blocksOf(inside, context)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlinesIn(inlines: readonly TokenNode[], context: Context): ReactNode {
  return inlines.map((inline, at) => <InlineView key={at} node={inline} context={context} />);
}

function InlineView({ node: { token, inside }, context }: NodeProps): ReactNode {
  switch (token.type) {
    case 'code_inline':
      return <code>{token.content}</code>;
    case 'strong_open':
      return <strong>{inlinesIn(inside, context)}</strong>;
    case 'em_open':
      return <em>{inlinesIn(inside, context)}</em>;
    case 's_open':
      return <del>{inlinesIn(inside, context)}</del>;
    case 'link_open':
      return <LinkView target={token.attrGet('href') ?? ''} context={context} inside={inlinesIn(inside, context)} />;
    case 'image':
      return <span className="image">image{token.content === '' ? '' : `: ${token.content}`}</span>;
    case 'softbreak':
      return ' ';
    case 'hardbreak':
      return <br />;
    default:
      return token.content;
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
