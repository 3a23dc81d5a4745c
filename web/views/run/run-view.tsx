// One run, while it lives and after: its pace, its hosts, how its URLs ended, what went wrong, and all that happened.

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunView as Run } from '../../api/responses.ts';
import { oneRun } from '../../api/queries.ts';
import { useLiveRun } from '../../live/live-store.ts';
import { Failure } from '../../components/error-notice.tsx';
import { ago } from '../../components/format.ts';
import { OutcomeMeter } from '../../components/outcome-meter.tsx';
import { StateMark } from '../../components/state-badge.tsx';
import { RunCharts } from '../run-charts.tsx';
import { ViewHead } from '../../components/view-header.tsx';
import { RunControls } from './run-controls.tsx';
import { RunFigures } from './run-stats.tsx';
import { RunTabs, type RunTabsProps } from './run-tabs.tsx';

export function RunView(): ReactNode {
  const { run: named } = useParams({ from: '/runs/$run' });
  const live = useLiveRun(Number(named));
  const isLive = live !== null && live.view.endedAt === null;
  const { data, error } = useQuery(oneRun(Number(named), isLive));
  const told = data?.runs[0];
  // After its end the stream says no more; the answer that was fetched then is the newer one.
  const run = told?.endedAt == null ? (live?.view ?? told) : told;
  if (error !== null)
    return (
      <div className="view">
        <Failure error={error} />
      </div>
    );
  if (run === undefined || data === undefined) return <div className="view" aria-busy="true" />;
  return <OneRun run={run} status={data} live={live} />;
}

function OneRun({ run, status, live }: RunTabsProps): ReactNode {
  return (
    <div className="view">
      <ViewHead title={run.source} crumbs={<Crumbs run={run} />} actions={<RunControls run={run} />}>
        <p className="row">
          <StateMark state={run.state} />
          <span>
            {run.mode}, begun {ago(run.createdAt)}
            {run.reason !== null && `: ${run.reason}`}
          </span>
        </p>
      </ViewHead>
      <RunFigures run={run} live={live} />
      <OutcomeMeter counts={run.counts} />
      {live !== null && <RunCharts live={live} />}
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
        pages of the source
      </Link>
    </>
  );
}
