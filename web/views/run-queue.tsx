// What waits in a run, by its distance from the start.

import type { ReactNode } from 'react';
import type { Status } from '../api/responses.ts';
import { count } from '../components/format.ts';

export interface RunQueueProps {
  readonly queue: Status['queue'];
  readonly isLive: boolean;
  /** What the run itself says; it is told more often. */
  readonly queued: number;
}

export function RunQueue({ queue, isLive, queued }: RunQueueProps): ReactNode {
  if (!isLive) return <p className="quiet">The queue is shown while a run lives.</p>;
  if (queue.length === 0)
    return <p className="quiet">{queued === 0 ? 'Nothing waits at this moment.' : 'Looking at what waits…'}</p>;
  const most = Math.max(...queue.map(({ urls }) => urls));
  return (
    <dl className="depths num" aria-label="Queue by depth">
      {queue.map(({ depth, urls }) => (
        <div key={depth}>
          <dt>
            {depth === 0 ? 'the start and what is stated' : `${count(depth)} ${depth === 1 ? 'link' : 'links'} away`}
          </dt>
          <dd>
            <i style={{ width: `${(urls / most) * 100}%` }} aria-hidden="true" />
            <span>{count(urls)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
