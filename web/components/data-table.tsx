// A virtualized table. Only the visible rows are in the DOM; the others are represented by their height. Keyboard: the body
// takes the focus and scrolls with the usual keys, and Tab moves through the links of its rows. On a narrow screen each row is
// a block: its main cell, and below it the other cells with their names.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useSyncExternalStore, type CSSProperties, type ReactNode } from 'react';

export interface Column<Row> {
  readonly name: string;
  /** As in grid-template-columns. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** First on a narrow screen; by default the first column. */
  readonly isMain?: boolean;
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
/** An estimate: rows on a narrow screen are as high as their cells. */
const NARROW_ROW_PX = 84;

const narrowScreen = window.matchMedia('(width < 48rem)');

function subscribeToScreen(listener: () => void): () => void {
  narrowScreen.addEventListener('change', listener);
  return () => narrowScreen.removeEventListener('change', listener);
}

export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, rows, columns, keyOf, height = '34rem', minWidth = '0' } = props;
  const isNarrow = useSyncExternalStore(subscribeToScreen, () => narrowScreen.matches);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => (isNarrow ? NARROW_ROW_PX : ROW_PX),
    overscan: 12,
    onChange: ({ range }) => {
      if (range !== null && range.endIndex >= rows.length - 50) props.onEnd?.();
    },
  });
  useEffect(() => virtual.measure(), [virtual, isNarrow]);
  const shown = isNarrow ? mainFirst(columns) : columns;
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  const style = { '--table-min': isNarrow ? '0' : minWidth, maxHeight: height } as CSSProperties;
  return (
    <div className="table" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="scroll" ref={box} style={style} tabIndex={0} role="rowgroup">
        <div className={isNarrow ? 'visually-hidden' : 'tr thead label'} role="row" aria-rowindex={1} style={template}>
          {shown.map(({ name, isNumber }) => (
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
                className={isNarrow ? 'tr narrow' : 'tr'}
                role="row"
                aria-rowindex={index + 2}
                ref={isNarrow ? virtual.measureElement : undefined}
                data-index={index}
                style={{ ...(!isNarrow && { ...template, height: ROW_PX }), transform: `translateY(${start}px)` }}
              >
                {shown.map(({ name, cell, isNumber }) => (
                  <span key={name} role="cell" data-name={name} className={isNumber ? 'right' : undefined}>
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

function mainFirst<Row>(columns: ReadonlyArray<Column<Row>>): ReadonlyArray<Column<Row>> {
  const main = columns.find(({ isMain }) => isMain) ?? columns[0];
  return main === undefined ? [] : [main, ...columns.filter((column) => column !== main)];
}
