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

/** Fields of the API that are sent only if they are filled in. */
type Filter = Readonly<Partial<Record<'run' | 'kind' | 'scope' | 'severity', string>>>;

export function AllProblems(): ReactNode {
  const [filter, setFilter] = useState<Filter>({});
  const list = useInfiniteQuery({
    queryKey: ['problems', filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      get<ProblemsResult>('/problems', { ...filter, before: pageParam, limit: BATCH_SIZE }, signal),
    getNextPageParam: ({ cursors }) => cursors.nextBefore ?? undefined,
  });
  const problems = list.data?.pages.flatMap((page) => page.problems) ?? [];
  return (
    <>
      <FilterForm apply={setFilter}>
        <label>
          <span className="label">Severity</span>
          <select className="input" name="severity">
            {SEVERITIES.map((one) => (
              <option key={one} value={one}>
                {one === '' ? 'any' : one}
              </option>
            ))}
          </select>
        </label>
      </FilterForm>
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
  const [filter, setFilter] = useState<Filter>({});
  const list = useInfiniteQuery({
    queryKey: ['milestones', filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      get<MilestonesResult>('/milestones', { ...filter, before: pageParam, limit: BATCH_SIZE }, signal),
    getNextPageParam: ({ cursors }) => cursors.nextBefore ?? undefined,
  });
  const milestones = list.data?.pages.flatMap((page) => page.milestones) ?? [];
  return (
    <>
      <FilterForm apply={setFilter} />
      {list.error !== null && <ErrorNotice error={list.error} />}
      {milestones.length === 0 && !list.isPending && <p className="muted">No milestones.</p>}
      <ul className="links small">
        {milestones.map(({ id, ts, run, job, kind, scope, message, details }) => (
          <li key={id}>
            <span className="row">
              {run === null ? <span>{job}</span> : <RunLink run={run} />}
              <span className="muted num">{formatAgo(ts)}</span>
            </span>
            <span>
              <span className="tag">{kind}</span> {scope === 'run' ? '' : `${scope}: `}
              {message}
              {Object.keys(details).length > 0 && <span className="muted"> {JSON.stringify(details)}</span>}
            </span>
          </li>
        ))}
      </ul>
      <MoreButton hasMore={list.hasNextPage} isFetching={list.isFetching} more={() => void list.fetchNextPage()} />
    </>
  );
}

const FILTERS = [
  ['run', 'Run'],
  ['kind', 'Kind'],
  ['scope', 'Scope'],
] as const;

interface FilterFormProps {
  readonly apply: (filter: Filter) => void;
  readonly children?: ReactNode;
}

function FilterForm({ apply, children }: FilterFormProps): ReactNode {
  return (
    <form
      className="row filters"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
        apply(Object.fromEntries(fields));
      }}
    >
      {FILTERS.map(([name, label]) => (
        <label key={name}>
          <span className="label">{label}</span>
          <input className="input" name={name} size={14} />
        </label>
      ))}
      {children}
      <button className="button" type="submit">
        Filter
      </button>
    </form>
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
