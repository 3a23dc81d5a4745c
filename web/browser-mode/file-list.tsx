// The list of indexed files. Only visible rows are in the DOM: laying out thousands of them at once would block the page.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import { formatCount } from '../components/format.ts';
import type { LibrarySummary } from './browser-library.ts';

export interface FileListProps {
  readonly summary: LibrarySummary;
  readonly current: string | null;
  readonly onOpen: (path: string) => void;
}

const ROW_PX = 30;
const MAX_EXCLUDED = 200;

export function FileList({ summary, current, onOpen }: FileListProps): ReactNode {
  const { pages } = summary;
  const box = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: pages.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  return (
    <nav className="files" aria-label="Files" ref={box}>
      <ol style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const page = pages[index];
          return page === undefined ? null : (
            <li
              key={page.path}
              aria-setsize={pages.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)`, height: ROW_PX }}
            >
              <button
                className="truncate"
                type="button"
                aria-current={page.path === current}
                title={page.title}
                onClick={() => onOpen(page.path)}
              >
                {page.path}
              </button>
            </li>
          );
        })}
      </ol>
      <ExcludedFiles excluded={summary.excluded} />
    </nav>
  );
}

function ExcludedFiles({ excluded }: Pick<LibrarySummary, 'excluded'>): ReactNode {
  if (excluded.length === 0) return null;
  return (
    <details>
      <summary>{formatCount(excluded.length)} excluded</summary>
      <ul>
        {excluded.slice(0, MAX_EXCLUDED).map(({ path, reason }) => (
          <li key={path} className="muted">
            {path}: {reason}
          </li>
        ))}
        {excluded.length > MAX_EXCLUDED && (
          <li className="muted">and {formatCount(excluded.length - MAX_EXCLUDED)} more</li>
        )}
      </ul>
    </details>
  );
}
