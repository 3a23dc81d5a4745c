// What can be read about a run, one thing at a time.

import type { ReactNode } from 'react';
import type { RunView as Run, Status } from '../../api/responses.ts';
import type { RunLive } from '../../live/live-state.ts';
import { Tabs } from '../../components/tabs.tsx';
import { EventList } from './event-list.tsx';
import { ReasonList } from './reason-list.tsx';
import { HostTable, ProblemList } from './run-panels.tsx';
import { RunQueue } from '../run-queue.tsx';
import { UrlList } from './url-list.tsx';

export interface RunTabsProps {
  readonly run: Run;
  readonly status: Status;
  readonly live: RunLive | null;
}

export function RunTabs({ run, status, live }: RunTabsProps): ReactNode {
  const { problems, queue, hosts, milestones } = status;
  const isLive = run.endedAt === null;
  return (
    <Tabs
      label="About this run"
      tabs={[
        {
          name: 'problems',
          label: <Counted times={problems.length}>Problems</Counted>,
          panel: () => <ProblemList problems={problems} milestones={milestones} />,
        },
        { name: 'reasons', label: 'Failed and left out', panel: () => <ReasonList run={run} /> },
        { name: 'hosts', label: 'Hosts', panel: () => <HostTable hosts={hosts} isLive={isLive} /> },
        {
          name: 'queue',
          label: 'Queue',
          panel: () => <RunQueue queue={queue} isLive={isLive} queued={run.counts.queued} />,
        },
        { name: 'urls', label: 'URLs', panel: () => <UrlList run={run.run} source={run.source} /> },
        { name: 'events', label: 'Events', panel: () => <EventList run={run.run} fresh={live?.events ?? []} /> },
      ]}
    />
  );
}

/** The number hangs beside the word, so that no other tab moves when it changes. */
function Counted({ times, children }: { readonly times: number; readonly children: string }): ReactNode {
  return (
    <span className="counted">
      {children}
      {times > 0 && (
        <sup className="num">
          <span className="visually-hidden">: </span>
          {times}
        </sup>
      )}
    </span>
  );
}
