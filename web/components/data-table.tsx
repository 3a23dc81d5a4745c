// A virtualized table. Only the visible rows are in the DOM; the others are represented by their height. Keyboard: the body
// takes the focus and scrolls with the usual keys, and Tab moves through the links of its rows.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type CSSProperties, type ReactNode } from 'react';

export interface Column<Row> {
  readonly name: string;
  /** As in grid-template-columns. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly keyOf: (row: Row) => string | number;
  readonly height?: string;
  /** Narrower than this, the table scrolls sideways. */
  readonly minWidth?: string;
  /** Called when the last rows become visible. */
  readonly onEnd?: () => void;
}

const ROW_PX = 38;

export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, rows, columns, keyOf, height = '34rem', minWidth = '0' } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    onChange: ({ range }) => {
      if (range !== null && range.endIndex >= rows.length - 50) props.onEnd?.();
    },
  });
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  const style = { '--table-min': minWidth, maxHeight: height } as CSSProperties;
  return (
    <div className="table" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="scroll" ref={box} style={style} tabIndex={0} role="rowgroup">
        <div className="tr thead label" role="row" aria-rowindex={1} style={template}>
          {columns.map(({ name, isNumber }) => (
            <span key={name} role="columnheader" className={isNumber ? 'right' : undefined}>
              {name}
            </span>
          ))}
        </div>
        <div className="rows" role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <div
                key={keyOf(row)}
                className="tr"
                role="row"
                aria-rowindex={index + 2}
                style={{ ...template, transform: `translateY(${start}px)`, height: ROW_PX }}
              >
                {columns.map(({ name, cell, isNumber }) => (
                  <span key={name} role="cell" className={isNumber ? 'right' : undefined}>
                    {cell(row)}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
