// The pace of a run while one looks: what was settled each second, and how long pages took to arrive.

import { useMemo, type ReactNode } from 'react';
import type { RunLive } from '../live/live-state.ts';
import { TimeChart } from '../components/time-chart.tsx';

export function RunCharts({ live: { samples, latencies } }: { readonly live: RunLive }): ReactNode {
  const rates = useMemo(() => {
    const pairs = samples.slice(1).map((sample, at) => [samples[at] ?? sample, sample] as const);
    return {
      times: pairs.map(([, { at }]) => at),
      values: pairs.map(([a, b]) =>
        b.at === a.at ? 0 : Math.max(0, ((b.settled - a.settled) * 1000) / (b.at - a.at)),
      ),
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
