// One run, while it lives and after: its pace, its hosts, how its URLs ended, what went wrong, and all that happened.

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { RunView as Run, Status } from '../api/answers.ts';
import { oneRun } from '../api/queries.ts';
import { rateOf, settledOf, type RunLive } from '../live/live-state.ts';
import { useLiveRun } from '../live/live-store.ts';
import { Failure } from '../parts/failure.tsx';
import { ago, bytes, count } from '../parts/figures.ts';
import { OutcomeMeter } from '../parts/outcome-meter.tsx';
import { StateMark } from '../parts/state-mark.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { TimeChart } from '../parts/time-chart.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { EventList } from './event-list.tsx';
import { HostTable, ProblemList, ReasonList } from './run-facts.tsx';
import { RunControls } from './run-controls.tsx';
import { tookOf } from './runs-view.tsx';
import { UrlList } from './url-list.tsx';
import { Figure } from './sources-view.tsx';

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
      {live !== null && live.samples.length > 2 && <Charts live={live} />}
      <RunTabs run={run} status={data} live={live} />
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

function RunFigures({ run, live }: { readonly run: Run; readonly live: RunLive | null }): ReactNode {
  const rate = live === null || run.endedAt !== null ? average(run) : rateOf(live.samples);
  return (
    <dl className="figures">
      <Figure name="Settled" value={count(settledOf(run))} unit={`of ${count(run.counts.found)}`} />
      <Figure name="Queued" value={count(run.counts.queued)} />
      <Figure name={run.endedAt === null ? 'Pace' : 'Average pace'} value={rate.toFixed(1)} unit="a second" />
      <Figure name="Received" value={bytes(run.counts.bytes)} />
      <Figure name="Time" value={tookOf(run)} />
    </dl>
  );
}

function average(run: Run): number {
  const ms = run.startedAt === null || run.endedAt === null ? 0 : Date.parse(run.endedAt) - Date.parse(run.startedAt);
  return ms === 0 ? 0 : (settledOf(run) * 1000) / ms;
}

function Charts({ live: { samples, latencies } }: { readonly live: RunLive }): ReactNode {
  const rates = useMemo(() => {
    const pairs = samples.slice(1).map((sample, at) => [samples[at] ?? sample, sample] as const);
    return {
      times: pairs.map(([, { at }]) => at),
      values: pairs.map(([a, b]) => (b.at === a.at ? 0 : Math.max(0, ((b.settled - a.settled) * 1000) / (b.at - a.at)))),
    };
  }, [samples]);
  const waits = useMemo(() => {
    const bySecond = [...Map.groupBy(latencies, ({ at }) => Math.floor(at / 1000))].sort(([a], [b]) => a - b);
    return {
      times: bySecond.map(([second]) => second * 1000),
      values: bySecond.map(([, all]) => median(all.map(({ ms }) => ms))),
    };
  }, [latencies]);
  return (
    <div className="charts">
      <TimeChart label="URLs settled" unit="a second" tone="red" {...rates} />
      <TimeChart label="Time until a page had arrived" unit="ms, median" tone="blue" {...waits} />
    </div>
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

interface RunTabsProps {
  readonly run: Run;
  readonly status: Status;
  readonly live: RunLive | null;
}

function RunTabs({ run, status, live }: RunTabsProps): ReactNode {
  const { problems, reasons, hosts, milestones } = status;
  return (
    <Tabs
      label="About this run"
      tabs={[
        {
          name: 'problems',
          label: `Problems ${problems.length === 0 ? '' : `(${problems.length})`}`,
          panel: () => <ProblemList problems={problems} milestones={milestones} />,
        },
        { name: 'reasons', label: 'Left out and failed', panel: () => <ReasonList reasons={reasons} run={run} /> },
        { name: 'hosts', label: 'Hosts', panel: () => <HostTable hosts={hosts} isLive={run.endedAt === null} /> },
        { name: 'urls', label: 'URLs', panel: () => <UrlList run={run.run} source={run.source} /> },
        { name: 'events', label: 'Events', panel: () => <EventList run={run.run} fresh={live?.events ?? []} /> },
      ]}
    />
  );
}
