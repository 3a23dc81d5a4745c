// All runs, newest first. Live runs update in place.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { RunView } from '../../api/responses.ts';
import { runsQuery } from '../../api/queries.ts';
import { useLive } from '../../live/live-store.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo, formatBytes, formatCount, formatElapsed } from '../../components/format.ts';
import { RunReason } from '../../components/run-reason.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { ViewHeader } from '../../components/view-header.tsx';

const COLUMNS: ReadonlyArray<Column<RunView>> = [
  { name: 'Run', width: '3rem', cell: ({ run }) => <RunLink run={run}>{run}</RunLink> },
  {
    name: 'Source',
    width: 'minmax(6rem, 2fr)',
    cell: ({ run, source }) => <RunLink run={run}>{source}</RunLink>,
    isMain: true,
  },
  { name: 'State', width: '6.5rem', cell: ({ state }) => <StateBadge state={state} /> },
  { name: 'Reason', width: 'minmax(10rem, 4fr)', cell: (run) => <RunReason run={run} /> },
  { name: 'Mode', width: '6rem', cell: ({ mode }) => <span className="muted">{mode}</span> },
  { name: 'New', width: '3.5rem', cell: ({ counts }) => formatCount(counts.new), isNumber: true },
  { name: 'Changed', width: '4.5rem', cell: ({ counts }) => formatCount(counts.changed), isNumber: true },
  { name: 'Failed', width: '3.5rem', cell: ({ counts }) => formatCount(counts.failed), isNumber: true },
  { name: 'Received', width: '5rem', cell: ({ counts }) => formatBytes(counts.bytes), isNumber: true },
  { name: 'Duration', width: '5.5rem', cell: (run) => formatElapsed(run), isNumber: true },
  { name: 'Started', width: '5.5rem', cell: ({ createdAt }) => formatAgo(createdAt), isNumber: true },
];

export function RunsView(): ReactNode {
  const { data, error } = useQuery(runsQuery);
  const live = useLive().runs;
  const rows = useMemo(() => (data?.runs ?? []).map((run) => live.get(run.run)?.view ?? run), [data, live]);
  return (
    <div className="view">
      <ViewHeader title="Runs">
        <p>A run is one crawl of one source. You can pause, resume or stop it; the pages that it stored stay.</p>
      </ViewHeader>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && rows.length === 0 && (
        <div className="empty">
          <h2>No runs yet</h2>
          <p>The first run starts when you add a source.</p>
          <Link className="button primary" to="/add">
            Add a source
          </Link>
        </div>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Runs"
          rows={rows}
          columns={COLUMNS}
          keyOf={({ run }) => run}
          minWidth="62rem"
          height="70dvh"
        />
      )}
    </div>
  );
}

function RunLink({ run, children }: { readonly run: number; readonly children: ReactNode }): ReactNode {
  return (
    <Link to="/runs/$run" params={{ run: String(run) }}>
      {children}
    </Link>
  );
}
