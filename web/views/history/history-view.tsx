// The history of ended runs: plots over time, the next due runs, problems, milestones and the log of all runs.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { libraryQuery } from '../../api/queries.ts';
import { Tabs } from '../../components/tabs.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { EventList } from '../run/event-list.tsx';
import { Calendar } from './calendar.tsx';
import { AllMilestones, AllProblems } from './journal-lists.tsx';
import { RunPlots } from './run-plots.tsx';

export function HistoryView(): ReactNode {
  const { source } = useSearch({ from: '/history' });
  return (
    <div className="view">
      <ViewHeader title="History">
        <p>What runs found over time, what went wrong in them, and which sources are due next.</p>
      </ViewHeader>
      <Tabs
        label="History of the library"
        tabs={[
          {
            name: 'plots',
            label: 'Over time',
            panel: () => (
              <>
                <SourceFilter source={source} />
                <RunPlots source={source} />
              </>
            ),
          },
          { name: 'calendar', label: 'Next runs', panel: () => <Calendar /> },
          { name: 'problems', label: 'Problems', panel: () => <AllProblems /> },
          { name: 'milestones', label: 'Milestones', panel: () => <AllMilestones /> },
          { name: 'log', label: 'Log', panel: () => <EventList run={null} liveEvents={[]} /> },
        ]}
      />
    </div>
  );
}

function SourceFilter({ source }: { readonly source: string | undefined }): ReactNode {
  const { data } = useQuery(libraryQuery);
  const navigate = useNavigate();
  const choose = (name: string): void =>
    void navigate({ to: '/history', search: name === '' ? {} : { source: name }, replace: true });
  return (
    <label className="row">
      <span className="label">Source</span>
      <select
        className="input"
        style={{ width: 'auto' }}
        value={source ?? ''}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">all sources</option>
        {(data?.sources ?? []).map((one) => (
          <option key={one.source}>{one.source}</option>
        ))}
      </select>
    </label>
  );
}
