// The events of a run, newest first. Live events from the stream are added on top; older ones are fetched while scrolling.

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { EventsResult, EventView } from '../../api/responses.ts';
import { get } from '../../api/client.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo, formatCount } from '../../components/format.ts';

const KINDS = [
  'all',
  'new',
  'changed',
  'unchanged',
  'failed',
  'removed',
  'not-found',
  'moved',
  'skipped',
  'retry',
  'problem',
  'milestone',
] as const;

const BATCH_SIZE = 1000;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const COLUMNS: ReadonlyArray<Column<EventView>> = [
  {
    name: 'Seq.',
    width: '5rem',
    cell: ({ seq }) => <span className="muted">{formatCount(seq)}</span>,
    isNumber: true,
  },
  { name: 'Time', width: '5rem', cell: ({ at }) => <span className="num">{clock.format(new Date(at))}</span> },
  { name: 'Kind', width: '7.5rem', cell: ({ kind }) => <span className="tag">{kind}</span> },
  {
    name: 'URL',
    width: 'minmax(14rem, 3fr)',
    cell: ({ url }) => (url === null ? <span className="muted">–</span> : <span className="mono">{url}</span>),
    isMain: true,
  },
  {
    name: 'Detail',
    width: 'minmax(8rem, 2fr)',
    cell: ({ detail }) => {
      const text = formatDetail(detail);
      return text === '' ? null : <span className="muted">{text}</span>;
    },
  },
];

const ALL_RUNS_COLUMNS: ReadonlyArray<Column<EventView>> = [
  {
    name: 'Run',
    width: '4rem',
    cell: ({ run }) => (
      <Link to="/runs/$run" params={{ run: String(run) }}>
        {run}
      </Link>
    ),
  },
  { name: 'Date', width: '7rem', cell: ({ at }) => formatAgo(at) },
  ...COLUMNS.slice(1),
];

interface EventListProps {
  /** Null for all runs. */
  readonly run: number | null;
  /** Newest first, from the stream. */
  readonly liveEvents: readonly EventView[];
}

export function EventList({ run, liveEvents }: EventListProps): ReactNode {
  const [kind, setKind] = useState<string>('all');
  const older = useInfiniteQuery({
    queryKey: ['events', run, kind],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      const only = kind === 'all' ? undefined : kind;
      const path = run === null ? '/events' : `/runs/${run}/events`;
      return get<EventsResult>(path, { limit: BATCH_SIZE, kind: only, before: pageParam }, signal);
    },
    getNextPageParam: ({ events }) => (events.length < BATCH_SIZE ? undefined : events.at(-1)?.seq),
    staleTime: run === null ? 0 : Infinity,
  });
  const rows = useMemo(() => {
    const fetched = older.data?.pages.flatMap(({ events }) => events) ?? [];
    const newest = fetched[0]?.seq ?? 0;
    const newer = liveEvents.filter((event) => event.seq > newest && (kind === 'all' || event.kind === kind));
    return [...newer, ...fetched];
  }, [older.data, liveEvents, kind]);
  return (
    <>
      <div className="row spread">
        <label className="row">
          <span className="label">Kind</span>
          <select
            className="input"
            style={{ width: 'auto' }}
            value={kind}
            onChange={(event) => setKind(event.target.value)}
          >
            {KINDS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <span className="muted small num">
          {formatCount(rows.length)} shown{older.hasNextPage ? ', scroll for more' : ''}
        </span>
      </div>
      {older.error !== null && <ErrorNotice error={older.error} />}
      {rows.length === 0 && !older.isPending && <p className="muted">No events of this kind.</p>}
      {rows.length > 0 && (
        <DataTable
          label="Events"
          rows={rows}
          columns={run === null ? ALL_RUNS_COLUMNS : COLUMNS}
          keyOf={({ seq }) => seq}
          minWidth="52rem"
          onEnd={() => {
            if (older.hasNextPage && !older.isFetching) void older.fetchNextPage();
          }}
        />
      )}
    </>
  );
}

function formatDetail(detail: EventView['detail']): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
