// The changes of a run: changed pages with their diffs, new pages, and removed pages.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { OUTCOME_LABELS } from '../../../src/core/outcome/outcome-labels.table.ts';
import type { RevisionDiff, RunView, UrlsResult } from '../../api/responses.ts';
import { get } from '../../api/client.ts';
import { pageRevisionsQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount, pathOf } from '../../components/format.ts';
import { PageChangeDetails } from '../page/page-revisions.tsx';

const BATCH_SIZE = 50;

const CHANGES = ['changed', 'new', 'removed'] as const;

export function RunChanges({ run }: { readonly run: RunView }): ReactNode {
  const shown = CHANGES.filter((outcome) => run.counts[outcome] > 0);
  if (shown.length === 0) return <p className="muted">No page is new, changed or removed.</p>;
  return shown.map((outcome) => (
    <section key={outcome} className="section">
      <h2>
        {OUTCOME_LABELS[outcome].title} <small className="muted num">{formatCount(run.counts[outcome])}</small>
      </h2>
      <ChangedUrls run={run} outcome={outcome} />
    </section>
  ));
}

interface ChangedUrlsProps {
  readonly run: RunView;
  readonly outcome: (typeof CHANGES)[number];
}

function ChangedUrls({ run, outcome }: ChangedUrlsProps): ReactNode {
  const list = useInfiniteQuery({
    queryKey: ['run', run.run, 'changes', outcome],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      get<UrlsResult>(`/runs/${run.run}/urls`, { outcome, limit: BATCH_SIZE, cursor: pageParam }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const urls = list.data?.pages.flatMap((page) => page.urls) ?? [];
  if (list.error !== null) return <ErrorNotice error={list.error} />;
  return (
    <>
      <ul className="changed-urls">
        {urls.map(({ url }) =>
          outcome === 'changed' ? (
            <ChangedUrl key={url} run={run} url={url} />
          ) : (
            <li key={url}>
              <PageLink source={run.source} url={url} />
            </li>
          ),
        )}
      </ul>
      {list.hasNextPage && (
        <p>
          <button className="button" type="button" disabled={list.isFetching} onClick={() => void list.fetchNextPage()}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}

function PageLink({ source, url }: { readonly source: string; readonly url: string }): ReactNode {
  return (
    <Link className="mono small" to="/sources/$source/page" params={{ source }} search={{ url }}>
      {pathOf(url)}
    </Link>
  );
}

function ChangedUrl({ run, url }: { readonly run: RunView; readonly url: string }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <span className="row spread">
        <PageLink source={run.source} url={url} />
        <button
          className="button plain small"
          type="button"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Hide' : 'Show'} the diff of ${pathOf(url)}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide diff' : 'Show diff'}
        </button>
      </span>
      {isOpen && <ChangeOfRun run={run} url={url} />}
    </li>
  );
}

function ChangeOfRun({ run, url }: { readonly run: RunView; readonly url: string }): ReactNode {
  const { data, error } = useQuery(pageRevisionsQuery(run.source, url, ''));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <p className="muted">Loading…</p>;
  const change = data.changes.find(({ at }) => isDuring(run, at));
  if (change === undefined)
    return <p className="muted">The text from before this run is not stored: a page has its last five revisions.</p>;
  return <PageChangeDetails change={change} />;
}

/** A revision ends when its successor is settled, which is while the run is live. */
function isDuring({ startedAt, createdAt, endedAt }: RunView, at: RevisionDiff['at']): boolean {
  return at >= (startedAt ?? createdAt) && (endedAt === null || at <= endedAt);
}
