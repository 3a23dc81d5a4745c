// Metrics in the Prometheus text format. Each thread counts on its own; the main thread writes the samples of all.

import { METRICS, type MetricDeclaration, type MetricName } from './metrics.table.ts';

export type MetricLabels = Readonly<Record<string, string>>;

/** One line of the text; a message between threads may carry it. */
export interface MetricSample {
  readonly metric: MetricName;
  /** The name of the line without its prefix: that of the metric, or of a part of a histogram. */
  readonly line: string;
  readonly value: number;
}

export interface Metrics {
  add(metric: MetricName, by?: number, labels?: MetricLabels): void;
  /** For a histogram. */
  observe(metric: MetricName, seconds: number, labels?: MetricLabels): void;
  samples(): readonly MetricSample[];
}

export const NO_METRICS: Metrics = { add: () => undefined, observe: () => undefined, samples: () => [] };

interface Histogram {
  readonly metric: MetricName;
  readonly labels: MetricLabels;
  readonly bounds: readonly number[];
  /** Observations up to each bound. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Starts with the metrics that this thread counts, at zero. */
export function createMetrics(counted: readonly MetricName[]): Metrics {
  const values = new Map<string, { readonly metric: MetricName; value: number }>();
  const histograms = new Map<string, Histogram>();
  const add = (metric: MetricName, line: string, by: number): void => {
    const entry = values.get(line);
    if (entry === undefined) values.set(line, { metric, value: by });
    else entry.value += by;
  };
  const histogram = (metric: MetricName, labels: MetricLabels): Histogram => {
    const key = metric + labelText(labels);
    const known = histograms.get(key);
    if (known !== undefined) return known;
    const { buckets: bounds = [] } = declarationOf(metric);
    const created = { metric, labels, bounds, counts: bounds.map(() => 0), sum: 0, count: 0 };
    histograms.set(key, created);
    return created;
  };
  for (const metric of counted)
    if (declarationOf(metric).type === 'histogram') histogram(metric, {});
    else for (const line of startingLines(metric)) add(metric, line, 0);
  return {
    add: (metric, by = 1, labels = {}) => add(metric, metric + labelText(labels), by),
    observe(metric, seconds, labels = {}) {
      const entry = histogram(metric, labels);
      for (const [at, bound] of entry.bounds.entries())
        if (seconds <= bound) entry.counts[at] = (entry.counts[at] ?? 0) + 1;
      entry.sum += seconds;
      entry.count += 1;
    },
    samples: () => [
      ...[...values].map(([line, { metric, value }]) => ({ metric, line, value })),
      ...[...histograms.values()].flatMap(histogramLines),
    ],
  };
}

function histogramLines({ metric, labels, bounds, counts, sum, count }: Histogram): MetricSample[] {
  const bucket = (le: string, value: number): MetricSample => ({
    metric,
    line: `${metric}_bucket${labelText({ ...labels, le })}`,
    value,
  });
  return [
    ...bounds.map((bound, at) => bucket(String(bound), counts[at] ?? 0)),
    bucket('+Inf', count),
    { metric, line: `${metric}_sum${labelText(labels)}`, value: sum },
    { metric, line: `${metric}_count${labelText(labels)}`, value: count },
  ];
}

function declarationOf(metric: MetricName): MetricDeclaration {
  return METRICS[metric];
}

/** A metric with labels that are not known in advance starts with none. */
function startingLines(metric: MetricName): readonly string[] {
  const { starts } = declarationOf(metric);
  if (starts === undefined) return [metric];
  return Object.entries(starts).flatMap(([label, values]) =>
    values.map((value) => metric + labelText({ [label]: value })),
  );
}

export function gauge(metric: MetricName, value: number, labels: MetricLabels = {}): MetricSample {
  return { metric, line: metric + labelText(labels), value };
}

/** What Prometheus expects of a server that speaks its text format. */
export const METRICS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Lines that several threads counted add up. */
export function metricsText(samples: readonly MetricSample[]): string {
  const byMetric = Map.groupBy(samples, ({ metric }) => metric);
  const families = (Object.keys(METRICS) as MetricName[]).flatMap((metric) => {
    const own = byMetric.get(metric);
    if (own === undefined) return [];
    const { type, help } = declarationOf(metric);
    const sums = new Map<string, number>();
    for (const { line, value } of own) sums.set(line, (sums.get(line) ?? 0) + value);
    const lines = [...sums].map(([line, value]) => `pinakes_${line} ${value}`);
    return [`# HELP pinakes_${metric} ${help}`, `# TYPE pinakes_${metric} ${type}`, ...lines];
  });
  return `${families.join('\n')}\n`;
}

function labelText(labels: MetricLabels): string {
  const entries = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return entries.length === 0 ? '' : `{${entries.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}
