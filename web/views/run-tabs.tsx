// What can be read about a run, one thing at a time.

import type { ReactNode } from 'react';
import type { RunView as Run, Status } from '../api/answers.ts';
import type { RunLive } from '../live/live-state.ts';
import { Tabs } from '../parts/tabs.tsx';
import { EventList } from './event-list.tsx';
import { HostTable, ProblemList, ReasonList } from './run-facts.tsx';
import { UrlList } from './url-list.tsx';

export interface RunTabsProps {
  readonly run: Run;
  readonly status: Status;
  readonly live: RunLive | null;
}

export function RunTabs({ run, status, live }: RunTabsProps): ReactNode {
  const { problems, reasons, hosts, milestones } = status;
  return (
    <Tabs
      label="About this run"
      tabs={[
        {
          name: 'problems',
          label: `Problems ${problems.length === 0 ? '' : `(${problems.length})`}`,
          panel: () => <ProblemList problems={problems} milestones={milestones} />,
        },
        { name: 'reasons', label: 'Left out and failed', panel: () => <ReasonList reasons={reasons} run={run} /> },
        { name: 'hosts', label: 'Hosts', panel: () => <HostTable hosts={hosts} isLive={run.endedAt === null} /> },
        { name: 'urls', label: 'URLs', panel: () => <UrlList run={run.run} source={run.source} /> },
        { name: 'events', label: 'Events', panel: () => <EventList run={run.run} fresh={live?.events ?? []} /> },
      ]}
    />
  );
}
