// Every run, newest first. Those that live move while one looks.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { RunView } from '../../api/responses.ts';
import { runs } from '../../api/queries.ts';
import { useLive } from '../../live/live-store.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Failure } from '../../components/error-notice.tsx';
import { ago, bytes, count } from '../../components/format.ts';
import { StateMark } from '../../components/state-badge.tsx';
import { ViewHead } from '../../components/view-header.tsx';
import { tookOf } from '../run-time.ts';

const COLUMNS: ReadonlyArray<Column<RunView>> = [
  { name: 'Run', width: '4rem', cell: ({ run }) => <RunLink run={run}>{run}</RunLink> },
  { name: 'Source', width: 'minmax(10rem, 2fr)', cell: ({ run, source }) => <RunLink run={run}>{source}</RunLink> },
  { name: 'State', width: '7.5rem', cell: ({ state }) => <StateMark state={state} /> },
  { name: 'Mode', width: '6rem', cell: ({ mode }) => <span className="quiet">{mode}</span> },
  { name: 'New', width: '4rem', cell: ({ counts }) => count(counts.new), isNumber: true },
  { name: 'Changed', width: '5rem', cell: ({ counts }) => count(counts.changed), isNumber: true },
  { name: 'Failed', width: '4rem', cell: ({ counts }) => count(counts.failed), isNumber: true },
  { name: 'Read', width: '5rem', cell: ({ counts }) => bytes(counts.bytes), isNumber: true },
  { name: 'Took', width: '6rem', cell: (run) => tookOf(run), isNumber: true },
  { name: 'Begun', width: '6.5rem', cell: ({ createdAt }) => ago(createdAt), isNumber: true },
];

export function RunsView(): ReactNode {
  const { data, error } = useQuery(runs);
  const live = useLive().runs;
  const rows = useMemo(() => (data?.runs ?? []).map((run) => live.get(run.run)?.view ?? run), [data, live]);
  return (
    <div className="view">
      <ViewHead title="Runs">
        <p>Each run is one crawl of one source. It can be paused, resumed and stopped; what it stored stays.</p>
      </ViewHead>
      {error !== null && <Failure error={error} />}
      {data !== undefined && rows.length === 0 && (
        <div className="empty">
          <h2>Nothing has run yet</h2>
          <p>The first run begins when a source is added.</p>
          <Link className="button first" to="/add">
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
          minWidth="60rem"
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
