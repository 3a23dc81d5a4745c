// Problems and milestones of all runs, newest first, each with the run that it belongs to.

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { MilestonesResult, ProblemsResult } from '../../api/responses.ts';
import { get } from '../../api/client.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo } from '../../components/format.ts';
import { ProblemNotice } from '../run/run-panels.tsx';

const BATCH_SIZE = 50;
const SEVERITIES = ['', 'error', 'warning', 'info'] as const;

export function AllProblems(): ReactNode {
  const [severity, setSeverity] = useState('');
  const list = useInfiniteQuery({
    queryKey: ['problems', severity],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      const only = severity === '' ? undefined : severity;
      return get<ProblemsResult>('/problems', { severity: only, before: pageParam, limit: BATCH_SIZE }, signal);
    },
    getNextPageParam: ({ cursors }) => cursors.nextBefore ?? undefined,
  });
  const problems = list.data?.pages.flatMap((page) => page.problems) ?? [];
  return (
    <>
      <label className="row">
        <span className="label">Severity</span>
        <select
          className="input"
          style={{ width: 'auto' }}
          value={severity}
          onChange={(event) => setSeverity(event.target.value)}
        >
          {SEVERITIES.map((one) => (
            <option key={one} value={one}>
              {one === '' ? 'any' : one}
            </option>
          ))}
        </select>
      </label>
      {list.error !== null && <ErrorNotice error={list.error} />}
      {problems.length === 0 && !list.isPending && <p className="muted">No problems.</p>}
      {problems.map((problem) => (
        <ProblemNotice key={problem.id} problem={problem}>
          <RunLink run={problem.run} />
        </ProblemNotice>
      ))}
      <MoreButton hasMore={list.hasNextPage} isFetching={list.isFetching} more={() => void list.fetchNextPage()} />
    </>
  );
}

export function AllMilestones(): ReactNode {
  const list = useInfiniteQuery({
    queryKey: ['milestones'],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      get<MilestonesResult>('/milestones', { before: pageParam, limit: BATCH_SIZE }, signal),
    getNextPageParam: ({ cursors }) => cursors.nextBefore ?? undefined,
  });
  const milestones = list.data?.pages.flatMap((page) => page.milestones) ?? [];
  return (
    <>
      {list.error !== null && <ErrorNotice error={list.error} />}
      {milestones.length === 0 && !list.isPending && <p className="muted">No milestones.</p>}
      <ul className="links small">
        {milestones.map(({ id, ts, run, kind, message }) => (
          <li key={id}>
            <span className="row">
              <RunLink run={run} />
              <span className="muted num">{formatAgo(ts)}</span>
            </span>
            <span>{message === kind ? <span className="tag">{kind}</span> : message}</span>
          </li>
        ))}
      </ul>
      <MoreButton hasMore={list.hasNextPage} isFetching={list.isFetching} more={() => void list.fetchNextPage()} />
    </>
  );
}

function RunLink({ run }: { readonly run: number }): ReactNode {
  return (
    <Link to="/runs/$run" params={{ run: String(run) }}>
      run {run}
    </Link>
  );
}

interface MoreButtonProps {
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  readonly more: () => void;
}

function MoreButton({ hasMore, isFetching, more }: MoreButtonProps): ReactNode {
  if (!hasMore) return null;
  return (
    <p>
      <button className="button" type="button" disabled={isFetching} onClick={more}>
        Show older ones
      </button>
    </p>
  );
}
