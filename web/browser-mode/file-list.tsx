// The files that were read. Only those in sight are in the page: a folder of thousands laid out at once would stop it.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import { count } from '../components/format.ts';
import type { Summary } from './browser-library.ts';

export interface FileListProps {
  readonly summary: Summary;
  readonly current: string | null;
  readonly onRead: (path: string) => void;
}

const ROW_PX = 30;
const MOST_LEFT_OUT = 200;

export function FileList({ summary, current, onRead }: FileListProps): ReactNode {
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
                className="cut"
                type="button"
                aria-current={page.path === current}
                title={page.title}
                onClick={() => onRead(page.path)}
              >
                {page.path}
              </button>
            </li>
          );
        })}
      </ol>
      <LeftOut left={summary.left} />
    </nav>
  );
}

function LeftOut({ left }: Pick<Summary, 'left'>): ReactNode {
  if (left.length === 0) return null;
  return (
    <details>
      <summary>{count(left.length)} left out</summary>
      <ul>
        {left.slice(0, MOST_LEFT_OUT).map(({ path, reason }) => (
          <li key={path} className="quiet">
            {path}: {reason}
          </li>
        ))}
        {left.length > MOST_LEFT_OUT && <li className="quiet">and {count(left.length - MOST_LEFT_OUT)} more</li>}
      </ul>
    </details>
  );
}
