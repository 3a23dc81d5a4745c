// Every URL that a run knows, with how it was found and how it ended.

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { OUTCOME_NAMES } from '../../../src/core/model/outcome.ts';
import type { Urls, UrlView } from '../../api/responses.ts';
import { get } from '../../api/client.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Failure } from '../../components/error-notice.tsx';
import { count } from '../../components/format.ts';
import { wayWords } from '../../components/discovery-labels.ts';

const PIECE = 5000;
const STORED: ReadonlySet<string> = new Set(['new', 'changed', 'unchanged']);

export function UrlList({ run, source }: { readonly run: number; readonly source: string }): ReactNode {
  const [outcome, setOutcome] = useState('all');
  const [words, setWords] = useState('');
  const urls = useInfiniteQuery({
    queryKey: ['urls', run, outcome],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const only = outcome === 'all' ? undefined : outcome;
      return get<Urls>(`/runs/${run}/urls`, { limit: PIECE, outcome: only, after: pageParam }, signal);
    },
    getNextPageParam: ({ after }) => after ?? undefined,
  });
  const rows = useMemo(() => {
    const all = urls.data?.pages.flatMap((page) => page.urls) ?? [];
    return words === '' ? all : all.filter(({ url }) => url.includes(words));
  }, [urls.data, words]);
  const columns = useMemo(() => columnsFor(source), [source]);
  return (
    <>
      <div className="row">
        <input
          className="input"
          style={{ maxWidth: '20rem' }}
          aria-label="URLs that contain"
          placeholder="contains…"
          value={words}
          onChange={(event) => setWords(event.target.value)}
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
        <span className="quiet small num">
          {count(rows.length)} shown{urls.hasNextPage ? ', more below' : ''}
        </span>
      </div>
      {urls.error !== null && <Failure error={urls.error} />}
      {rows.length === 0 && !urls.isPending && urls.error === null && <NoUrl words={words} />}
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

function NoUrl({ words }: { readonly words: string }): ReactNode {
  return (
    <p className="quiet">{words === '' ? 'No URL of this run ended so.' : 'No URL that is listed contains this.'}</p>
  );
}

function columnsFor(source: string): ReadonlyArray<Column<UrlView>> {
  return [
    {
      name: 'URL',
      width: 'minmax(16rem, 3fr)',
      cell: ({ url, outcome }) =>
        outcome !== null && STORED.has(outcome) ? (
          <Link className="mono" to="/sources/$source/page" params={{ source }} search={{ url }}>
            {url}
          </Link>
        ) : (
          <span className="mono">{url}</span>
        ),
    },
    { name: 'Outcome', width: '7rem', cell: ({ outcome, state }) => <span className="tag">{outcome ?? state}</span> },
    { name: 'Reason', width: 'minmax(8rem, 1.5fr)', cell: ({ reason }) => <span className="quiet">{reason}</span> },
    { name: 'Found by', width: '6rem', cell: ({ foundBy }) => wayWords(foundBy) },
    { name: 'Depth', width: '4rem', cell: ({ depth }) => depth, isNumber: true },
    { name: 'Tries', width: '4rem', cell: ({ attempts }) => attempts, isNumber: true },
  ];
}
