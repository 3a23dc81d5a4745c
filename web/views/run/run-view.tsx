// One run, live or finished: its rate, outcomes, hosts, queue, problems and events.

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunView as Run } from '../../api/responses.ts';
import { runQuery } from '../../api/queries.ts';
import { useLiveRun } from '../../live/live-store.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo } from '../../components/format.ts';
import { OutcomeMeter } from '../../components/outcome-meter.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { RunControls } from './run-controls.tsx';
import { EndedRunCharts, NO_DATA, RunCharts, RunStats } from './run-stats.tsx';
import { RunTabs, type RunTabsProps } from './run-tabs.tsx';

export function RunView(): ReactNode {
  const { run: runParam } = useParams({ from: '/runs/$run' });
  const live = useLiveRun(Number(runParam));
  const isLive = live !== null && live.view.endedAt === null;
  const { data, error } = useQuery(runQuery(Number(runParam), isLive));
  const fetched = data?.runs[0];
  // The stream sends nothing after the end of a run, so the response fetched then is newer.
  const run = fetched?.endedAt == null ? (live?.view ?? fetched) : fetched;
  if (error !== null)
    return (
      <div className="view">
        <ErrorNotice error={error} />
      </div>
    );
  if (run === undefined || data === undefined) return <div className="view" aria-busy="true" />;
  return <RunDetails run={run} status={data} live={live} />;
}

function RunDetails({ run, status, live }: RunTabsProps): ReactNode {
  return (
    <div className="view">
      <ViewHeader title={run.source} crumbs={<Crumbs run={run} />} actions={<RunControls run={run} />}>
        <p className="row">
          <StateBadge state={run.state} />
          <span>
            {run.mode} run, started {formatAgo(run.createdAt)}
            {run.reason !== null && `: ${run.reason}`}
          </span>
        </p>
      </ViewHeader>
      <RunStats run={run} live={live} />
      <OutcomeMeter counts={run.counts} />
      {live !== null || run.endedAt === null ? (
        <RunCharts run={run.run} live={live ?? NO_DATA} />
      ) : (
        <EndedRunCharts run={run} />
      )}
      <RunTabs run={run} status={status} live={live} />
    </div>
  );
}

function Crumbs({ run }: { readonly run: Run }): ReactNode {
  return (
    <>
      <Link to="/runs">Runs</Link>
      <span aria-hidden="true">/</span>
      <span>run {run.run}</span>
      <span aria-hidden="true">·</span>
      <Link to="/sources/$source" params={{ source: run.source }}>
        all pages of this source
      </Link>
    </>
  );
}
