// The statistics of a run, as numbers and as charts.

import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { newestEventsQuery, samplesQuery } from '../../api/queries.ts';
import type { RunView as Run } from '../../api/responses.ts';
import { settledPerSecond, settledCount, withEarlier, type RunLive } from '../../live/live-state.ts';
import { Stat } from '../../components/stat.tsx';
import { formatBytes, formatCount, formatDuration, formatElapsed } from '../../components/format.ts';
import { TimeChart } from '../../components/time-chart.tsx';

export function RunStats({ run, live }: { readonly run: Run; readonly live: RunLive | null }): ReactNode {
  const rate = live === null || run.endedAt !== null ? averageRate(run) : settledPerSecond(live.samples);
  return (
    <dl className="stats">
      <Stat name="Settled" value={formatCount(settledCount(run))} unit={`of ${formatCount(run.counts.found)}`} />
      <Stat name="Queued" value={formatCount(run.counts.queued)} />
      <Stat name={run.endedAt === null ? 'Rate' : 'Average rate'} value={rate.toFixed(1)} unit="per second" />
      <Stat name="Received" value={formatBytes(run.counts.bytes)} />
      <Stat name="Elapsed" value={formatElapsed(run)} />
      {run.endedAt === null && (
        <Stat name="Time left" value={run.etaSeconds === null ? '–' : formatDuration(run.etaSeconds * 1000)} />
      )}
    </dl>
  );
}

function averageRate(run: Run): number {
  const ms = run.startedAt === null || run.endedAt === null ? 0 : Date.parse(run.endedAt) - Date.parse(run.startedAt);
  return ms === 0 ? 0 : (settledCount(run) * 1000) / ms;
}

/** URLs settled per second and response times, while the run is live. */
type ChartData = Pick<RunLive, 'samples' | 'latencies'>;

/** An active run has its charts before the first event, so that they do not push the rest of the view down later. */
export const NO_DATA: ChartData = { samples: [], latencies: [] };

/** The stream begins when the page is opened; what the run did before is fetched once. */
export function RunCharts({ run, live }: { readonly run: number; readonly live: ChartData }): ReactNode {
  const { data: earlierSamples } = useQuery({ ...samplesQuery(run), staleTime: Infinity });
  const { data: earlierEvents } = useQuery(newestEventsQuery(run));
  const { samples, latencies } = useMemo(
    () => withEarlier(live, earlierSamples?.samples ?? [], earlierEvents?.events ?? []),
    [live, earlierSamples, earlierEvents],
  );
  const rates = useMemo(() => {
    const pairs = samples.slice(1).map((sample, at) => [samples[at] ?? sample, sample] as const);
    return {
      times: pairs.map(([, { at }]) => at),
      values: pairs.map(([a, b]) =>
        b.at === a.at ? 0 : Math.max(0, ((b.settled - a.settled) * 1000) / (b.at - a.at)),
      ),
    };
  }, [samples]);
  const responseTimes = useMemo(() => {
    const bySecond = [...Map.groupBy(latencies, ({ at }) => Math.floor(at / 1000))].sort(([a], [b]) => a - b);
    return {
      times: bySecond.map(([second]) => second * 1000),
      values: bySecond.map(([, all]) => median(all.map(({ ms }) => ms))),
    };
  }, [latencies]);
  return (
    <div className="charts">
      <TimeChart label="URLs settled" unit="per second" tone="red" {...rates} />
      <TimeChart label="Response time" unit="ms, median" tone="blue" {...responseTimes} />
    </div>
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Charts of an ended run over time. A run of less than twenty seconds has too few samples for a line. */
export function EndedRunCharts({ run }: { readonly run: Run }): ReactNode {
  const { data } = useQuery(samplesQuery(run.run));
  const samples = data?.samples ?? [];
  const times = samples.map(({ at }) => Date.parse(at));
  if (samples.length < 3) return null;
  return (
    <div className="charts">
      <TimeChart
        label="Requests"
        unit="per second"
        tone="red"
        times={times}
        values={samples.map(({ requestsPerSec }) => requestsPerSec ?? 0)}
      />
      <TimeChart
        label="Queue"
        unit="URLs at the end"
        tone="blue"
        times={times}
        values={samples.map(({ queued }) => queued)}
      />
    </div>
  );
}
