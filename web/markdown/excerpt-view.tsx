// The part of a passage that matches a query, rendered: matches are marked, and code, lists and tables keep their form.

import type { ReactNode } from 'react';
import type { ExcerptBlock, MarkedText, ExcerptSpan } from '../../src/core/answer/match-excerpt.ts';

export function ExcerptView({ blocks }: { readonly blocks: readonly ExcerptBlock[] }): ReactNode {
  return (
    <div className="excerpt">
      {withLists(blocks).map((block, at) => (
        <BlockView key={at} block={block} />
      ))}
    </div>
  );
}

type ListItem = Extract<ExcerptBlock, { readonly kind: 'item' }>;
type ShownBlock = Exclude<ExcerptBlock, ListItem> | { readonly kind: 'list'; readonly items: ListItem[] };

/** Items that follow each other are one list. */
function withLists(blocks: readonly ExcerptBlock[]): readonly ShownBlock[] {
  const shown: ShownBlock[] = [];
  for (const block of blocks) {
    const last = shown.at(-1);
    if (block.kind !== 'item') shown.push(block);
    else if (last?.kind === 'list') last.items.push(block);
    else shown.push({ kind: 'list', items: [block] });
  }
  return shown;
}

function BlockView({ block }: { readonly block: ShownBlock }): ReactNode {
  switch (block.kind) {
    case 'heading':
      return (
        <p>
          <strong>{markedText(block.spans)}</strong>
        </p>
      );
    case 'text':
      return <p>{markedText(block.spans)}</p>;
    case 'list':
      return <ul>{block.items.map(itemView)}</ul>;
    case 'code':
      return (
        <pre className="code" tabIndex={0}>
          {block.lines.map((line, at) => [at === 0 ? '' : '\n', markedText(line)])}
        </pre>
      );
    case 'table':
      return <TableView table={block} />;
    case 'omission':
      return <p>…</p>;
  }
}

function itemView({ marker, depth, spans }: ListItem, at: number): ReactNode {
  const style = {
    marginInlineStart: `${depth * 1.4}rem`,
    ...(marker !== '-' && { listStyleType: JSON.stringify(`${marker} `) }),
  };
  return (
    <li key={at} style={style}>
      {markedText(spans)}
    </li>
  );
}

function TableView({ table }: { readonly table: Extract<ExcerptBlock, { readonly kind: 'table' }> }): ReactNode {
  const { head, rows } = table;
  const columns = Math.max(head?.length ?? 0, ...rows.map((row) => row.length));
  return (
    <div className="wide-table" tabIndex={0} role="region" aria-label="Table">
      <table>
        {head !== null && (
          <thead>
            <tr>
              {head.map((cell, at) =>
                cell.length === 0 ? (
                  <td key={at} />
                ) : (
                  <th key={at} scope="col">
                    {markedText(cell)}
                  </th>
                ),
              )}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} colSpan={row.length === 1 ? columns : undefined}>
                  {markedText(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function markedText(spans: MarkedText): ReactNode {
  const runs: Array<{ readonly isCode: boolean; readonly spans: ExcerptSpan[] }> = [];
  for (const span of spans) {
    const last = runs.at(-1);
    if (last?.isCode === span.isCode) last.spans.push(span);
    else runs.push({ isCode: span.isCode, spans: [span] });
  }
  return runs.map((run, at) => {
    const inside = run.spans.map(({ text, isMatch }, nth) => (isMatch ? <mark key={nth}>{text}</mark> : text));
    return run.isCode ? <code key={at}>{inside}</code> : inside;
  });
}
