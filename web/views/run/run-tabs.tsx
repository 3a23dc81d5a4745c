// The tabs of the run view.

import type { ReactNode } from 'react';
import type { RunView as Run, RunStatus } from '../../api/responses.ts';
import type { RunLive } from '../../live/live-state.ts';
import { Tabs } from '../../components/tabs.tsx';
import { EventList } from './event-list.tsx';
import { ReasonList } from './reason-list.tsx';
import { RunChanges } from './run-changes.tsx';
import { HostTable, ProblemList, RunQueue, RunSettings } from './run-panels.tsx';
import { UrlList } from './url-list.tsx';

export interface RunTabsProps {
  readonly run: Run;
  readonly status: RunStatus;
  readonly live: RunLive | null;
}

export function RunTabs({ run, status, live }: RunTabsProps): ReactNode {
  const { problems, queue, settings } = status;
  const isLive = run.endedAt === null;
  return (
    <Tabs
      label="Run details"
      tabs={[
        {
          name: 'problems',
          label: <CountedLabel count={problems.length}>Problems</CountedLabel>,
          panel: () => <ProblemList problems={problems} run={run.run} isLive={isLive} />,
        },
        { name: 'changes', label: 'Changes', panel: () => <RunChanges run={run} /> },
        { name: 'reasons', label: 'Failed and excluded', panel: () => <ReasonList run={run} /> },
        { name: 'hosts', label: 'Hosts', panel: () => <HostTable run={run.run} isLive={isLive} /> },
        {
          name: 'queue',
          label: 'Queue',
          panel: () => <RunQueue queue={queue} isLive={isLive} queued={run.counts.queued} />,
        },
        { name: 'urls', label: 'URLs', panel: () => <UrlList run={run.run} source={run.source} /> },
        { name: 'events', label: 'Events', panel: () => <EventList run={run.run} liveEvents={live?.events ?? []} /> },
        { name: 'settings', label: 'Settings', panel: () => <RunSettings settings={settings} /> },
      ]}
    />
  );
}

/** The count is positioned next to the label, so that no other tab moves when it changes. */
function CountedLabel({ count, children }: { readonly count: number; readonly children: string }): ReactNode {
  return (
    <span className="counted-label">
      {children}
      {count > 0 && (
        <sup className="num">
          <span className="visually-hidden">: </span>
          {count}
        </sup>
      )}
    </span>
  );
}
