// One analysis run with its newest events. Followed until it has ended.

import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { post } from '../../api/client.ts';
import { analysisQuery, queryClient } from '../../api/queries.ts';
import type { AnalysisDetail } from '../../api/responses.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo, formatCount, formatDuration } from '../../components/format.ts';
import { StateBadge } from '../../components/state-badge.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { highlightsOf, kindsOf } from './analysis-summary.ts';

type Event = AnalysisDetail['events'][number];

const EVENT_COLUMNS: ReadonlyArray<Column<Event>> = [
  { name: 'Time', width: '5.5rem', cell: ({ ts }) => <span className="muted">{formatAgo(ts)}</span> },
  { name: 'Stage', width: '11rem', cell: ({ stage }) => stage },
  { name: 'Message', width: 'minmax(14rem, 2fr)', cell: ({ message }) => message, isMain: true },
  { name: 'Details', width: 'minmax(10rem, 3fr)', cell: ({ details }) => <Details details={details} /> },
];

function Details({ details }: Pick<Event, 'details'>): ReactNode {
  if (details === null) return null;
  const text = JSON.stringify(details);
  return (
    <span className="mono small" title={text}>
      {text}
    </span>
  );
}

export function AnalysisRunView(): ReactNode {
  const { id } = useParams({ from: '/analysis/$id' });
  const { data, error } = useQuery(analysisQuery(id));
  return (
    <div className="view">
      <ViewHeader title={id}>
        <p>
          <Link to="/analysis">All analyses</Link>
        </p>
      </ViewHeader>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && <Run {...data} />}
    </div>
  );
}

function Run({ run, events }: AnalysisDetail): ReactNode {
  const kinds = kindsOf(run);
  return (
    <>
      <p className="row">
        <StateBadge state={run.status} />
        <span className="muted">
          {run.stage}, {formatDuration(run.durationMs)}, started {formatAgo(run.startedAt)}
        </span>
        {run.endedAt === null && <StopButton id={run.id} />}
      </p>
      {run.error !== null && <p className="notice">{run.error}</p>}
      {run.endedAt === null && <Progress progress={run.lastProgress} />}
      <ul>
        {highlightsOf(run).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {kinds.length > 0 && (
        <p className="muted small">{kinds.map(([kind, pages]) => `${formatCount(pages)} ${kind}`).join(', ')}</p>
      )}
      <h2>Events</h2>
      <DataTable
        label="Events"
        rows={events}
        columns={EVENT_COLUMNS}
        keyOf={({ id }) => id}
        minWidth="52rem"
        height="60dvh"
      />
    </>
  );
}

function Progress({ progress }: { readonly progress: AnalysisDetail['run']['lastProgress'] }): ReactNode {
  const { processed = 0, total = 0 } = (progress ?? {}) as { readonly processed?: number; readonly total?: number };
  if (total === 0) return null;
  return (
    <p>
      <progress max={total} value={processed} aria-label="Pages analyzed" /> {formatCount(processed)} of{' '}
      {formatCount(total)} pages
    </p>
  );
}

function StopButton({ id }: { readonly id: string }): ReactNode {
  const stop = useMutation({
    mutationFn: () => post(`/analysis/${encodeURIComponent(id)}/stop`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['analyses'] }),
  });
  return (
    <button className="button" type="button" disabled={stop.isPending} onClick={() => stop.mutate()}>
      Stop
    </button>
  );
}
