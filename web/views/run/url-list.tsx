// All URLs of a run, with how they were discovered and their outcomes.

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { reasonLabel } from '../../../src/core/outcome/reasons.table.ts';
import { OUTCOME_NAMES } from '../../../src/core/model/outcome.ts';
import type { UrlsResult, UrlView } from '../../api/responses.ts';
import { get } from '../../api/client.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount } from '../../components/format.ts';
import { discoveryLabel } from '../../components/discovery-labels.ts';

const BATCH_SIZE = 5000;
const STORED_OUTCOMES: ReadonlySet<string> = new Set(['new', 'changed', 'unchanged']);

export function UrlList({ run, source }: { readonly run: number; readonly source: string }): ReactNode {
  const [outcome, setOutcome] = useState('all');
  const [filter, setFilter] = useState('');
  const urls = useInfiniteQuery({
    queryKey: ['urls', run, outcome],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const only = outcome === 'all' ? undefined : outcome;
      return get<UrlsResult>(`/runs/${run}/urls`, { limit: BATCH_SIZE, outcome: only, cursor: pageParam }, signal);
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const rows = useMemo(() => {
    const all = urls.data?.pages.flatMap((page) => page.urls) ?? [];
    return filter === '' ? all : all.filter(({ url }) => url.includes(filter));
  }, [urls.data, filter]);
  const columns = useMemo(() => columnsFor(source), [source]);
  return (
    <>
      <div className="row">
        <input
          className="input"
          style={{ maxWidth: '20rem' }}
          aria-label="Filter URLs"
          placeholder="Filter URLs"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <select
          className="input"
          style={{ width: 'auto' }}
          aria-label="Outcome"
          value={outcome}
          onChange={(event) => setOutcome(event.target.value)}
        >
          {['all', ...OUTCOME_NAMES].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <span className="muted small num">
          {formatCount(rows.length)} shown{urls.hasNextPage ? ', scroll for more' : ''}
        </span>
      </div>
      {urls.error !== null && <ErrorNotice error={urls.error} />}
      {rows.length === 0 && !urls.isPending && urls.error === null && <NoUrls filter={filter} />}
      {rows.length > 0 && (
        <DataTable
          label="URLs"
          rows={rows}
          columns={columns}
          keyOf={({ url }) => url}
          minWidth="60rem"
          onEnd={() => {
            if (urls.hasNextPage && !urls.isFetching) void urls.fetchNextPage();
          }}
        />
      )}
    </>
  );
}

function NoUrls({ filter }: { readonly filter: string }): ReactNode {
  return <p className="muted">{filter === '' ? 'No URLs with this outcome.' : 'No matching URLs.'}</p>;
}

function columnsFor(source: string): ReadonlyArray<Column<UrlView>> {
  return [
    {
      name: 'URL',
      width: 'minmax(16rem, 3fr)',
      cell: ({ url, outcome }) =>
        outcome !== null && STORED_OUTCOMES.has(outcome) ? (
          <Link className="mono" to="/sources/$source/page" params={{ source }} search={{ url }}>
            {url}
          </Link>
        ) : (
          <span className="mono">{url}</span>
        ),
    },
    { name: 'Outcome', width: '7rem', cell: ({ outcome, state }) => <span className="tag">{outcome ?? state}</span> },
    {
      name: 'Reason',
      width: 'minmax(8rem, 1.5fr)',
      cell: ({ reason }) => reason !== null && reason !== '' && <span className="muted">{reasonLabel(reason)}</span>,
    },
    { name: 'Found via', width: '6rem', cell: ({ foundBy }) => discoveryLabel(foundBy) },
    { name: 'Depth', width: '4rem', cell: ({ depth }) => depth, isNumber: true },
    { name: 'Attempts', width: '5rem', cell: ({ attempts }) => attempts, isNumber: true },
  ];
}
