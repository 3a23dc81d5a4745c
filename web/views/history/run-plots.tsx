// Pages, changes, failures, received bytes and rate over time, by run or by day.

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { growthQuery, historyRunsQuery } from '../../api/queries.ts';
import { BarPlot, type PlotSeries } from '../../components/bar-plot.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatBytes, formatCompact, formatQuantity } from '../../components/format.ts';
import { barsOfDays, barsOfRuns, type Grouping, type RunMetric } from './run-series.ts';

interface Plot {
  readonly title: string;
  readonly series: ReadonlyArray<PlotSeries<RunMetric>>;
  readonly format: (value: number) => string;
}

const PLOTS: readonly Plot[] = [
  {
    title: 'Pages',
    series: [
      { name: 'unchanged', label: 'unchanged', tone: 'fill-unchanged' },
      { name: 'changed', label: 'changed', tone: 'fill-changed' },
      { name: 'new', label: 'new', tone: 'fill-new' },
    ],
    format: formatCompact,
  },
  {
    title: 'Changes',
    series: [
      { name: 'new', label: 'new', tone: 'fill-new' },
      { name: 'changed', label: 'changed', tone: 'fill-changed' },
      { name: 'removed', label: 'removed', tone: 'fill-removed' },
    ],
    format: formatCompact,
  },
  { title: 'Failures', series: [{ name: 'failed', label: 'failed', tone: 'fill-failed' }], format: formatCompact },
  { title: 'Received', series: [{ name: 'bytes', label: 'received', tone: 'fill-changed' }], format: formatBytes },
  {
    title: 'Rate',
    series: [{ name: 'rate', label: 'URLs per second', tone: 'fill-new' }],
    format: (value) => `${value >= 10 ? Math.round(value) : Number(value.toFixed(1))}/s`,
  },
];

const GROUPINGS: readonly Grouping[] = ['run', 'day'];

export function RunPlots({ source }: { readonly source: string | undefined }): ReactNode {
  const [grouping, setGrouping] = useState<Grouping>('run');
  const { data, error, isPending } = useQuery(historyRunsQuery(source));
  const bars = useMemo(() => barsOfRuns(data?.runs ?? [], grouping), [data, grouping]);
  if (error !== null) return <ErrorNotice error={error} />;
  if (isPending) return <div className="loading" aria-hidden="true" />;
  if (bars.length === 0) return <p className="muted">No run has ended yet.</p>;
  return (
    <>
      <div className="row spread">
        <fieldset className="switch" aria-label="Group by">
          {GROUPINGS.map((one) => (
            <label key={one}>
              <input
                className="visually-hidden"
                type="radio"
                name="grouping"
                checked={grouping === one}
                onChange={() => setGrouping(one)}
              />
              by {one}
            </label>
          ))}
        </fieldset>
        <span className="muted small num">
          {data.isComplete ? formatQuantity(data.runs.length, 'run') : `the latest ${data.runs.length} runs`}
        </span>
      </div>
      <div className="charts">
        {PLOTS.map((plot) => (
          <BarPlot key={plot.title} bars={bars} {...plot} />
        ))}
        {grouping === 'day' && <SizePlots source={source} />}
      </div>
    </>
  );
}

type SizeMetric = 'pages' | 'database';

const PAGES: ReadonlyArray<PlotSeries<SizeMetric>> = [{ name: 'pages', label: 'pages', tone: 'fill-unchanged' }];
const DATABASE: ReadonlyArray<PlotSeries<SizeMetric>> = [{ name: 'database', label: 'on disk', tone: 'fill-changed' }];

/** The database is shared by all sources, so its size is shown for all of them only. */
function SizePlots({ source }: { readonly source: string | undefined }): ReactNode {
  const { data } = useQuery(growthQuery(source));
  const bars = useMemo(() => barsOfDays(data?.days ?? []), [data]);
  if (bars.length === 0) return null;
  return (
    <>
      <BarPlot title="Pages stored" bars={bars} series={PAGES} format={formatCompact} />
      {source === undefined && <BarPlot title="Database" bars={bars} series={DATABASE} format={formatBytes} />}
    </>
  );
}
