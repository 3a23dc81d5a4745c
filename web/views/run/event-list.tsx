// All that happened in a run, newest first. What the stream tells comes on top; older events are fetched as one scrolls.

import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { Events, EventView } from '../../api/responses.ts';
import { get } from '../../api/client.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Failure } from '../../components/error-notice.tsx';
import { count } from '../../components/format.ts';

const KINDS = [
  'all',
  'new',
  'changed',
  'unchanged',
  'failed',
  'gone',
  'moved',
  'skipped',
  'retry',
  'problem',
  'milestone',
] as const;

const PIECE = 1000;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const COLUMNS: ReadonlyArray<Column<EventView>> = [
  { name: 'Number', width: '5rem', cell: ({ seq }) => <span className="quiet">{count(seq)}</span>, isNumber: true },
  { name: 'Time', width: '5rem', cell: ({ at }) => <span className="num">{clock.format(new Date(at))}</span> },
  { name: 'Kind', width: '7.5rem', cell: ({ kind }) => <span className="tag">{kind}</span> },
  { name: 'URL', width: 'minmax(14rem, 3fr)', cell: ({ url }) => <span className="mono">{url}</span> },
  {
    name: 'Detail',
    width: 'minmax(8rem, 2fr)',
    cell: ({ detail }) => <span className="quiet">{detailText(detail)}</span>,
  },
];

export function EventList({ run, fresh }: { readonly run: number; readonly fresh: readonly EventView[] }): ReactNode {
  const [kind, setKind] = useState<string>('all');
  const older = useInfiniteQuery({
    queryKey: ['events', run, kind],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      const only = kind === 'all' ? undefined : kind;
      return get<Events>(`/runs/${run}/events`, { limit: PIECE, kind: only, before: pageParam }, signal);
    },
    getNextPageParam: ({ events }) => (events.length < PIECE ? undefined : events.at(-1)?.seq),
    staleTime: Infinity,
  });
  const rows = useMemo(() => {
    const fetched = older.data?.pages.flatMap(({ events }) => events) ?? [];
    const newest = fetched[0]?.seq ?? 0;
    const onTop = fresh.filter((event) => event.seq > newest && (kind === 'all' || event.kind === kind));
    return [...onTop, ...fetched];
  }, [older.data, fresh, kind]);
  return (
    <>
      <div className="row apart">
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
        <span className="quiet small num">
          {count(rows.length)} shown{older.hasNextPage ? ', more below' : ''}
        </span>
      </div>
      {older.error !== null && <Failure error={older.error} />}
      {rows.length === 0 && !older.isPending && <p className="quiet">Nothing of this kind happened.</p>}
      {rows.length > 0 && (
        <DataTable
          label="Events"
          rows={rows}
          columns={COLUMNS}
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

function detailText(detail: EventView['detail']): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
