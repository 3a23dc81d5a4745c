// Request metrics in the Prometheus text format.

type MetricValues = Readonly<Record<string, number>>;

export interface RequestMetrics {
  count(route: string, status: number, ms: number): void;
  /** Counters only grow; gauges go up and down. */
  text(gauges: MetricValues, counters: MetricValues): string;
}

const BUCKETS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000];

interface Timing {
  readonly buckets: number[];
  sum: number;
  count: number;
}

export function createRequestMetrics(): RequestMetrics {
  const requests = new Map<string, number>();
  const timings = new Map<string, Timing>();
  return {
    count(route, status, ms) {
      const key = `route="${route}",status="${status}"`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      const timing = timings.get(route) ?? { buckets: BUCKETS_MS.map(() => 0), sum: 0, count: 0 };
      BUCKETS_MS.forEach((limit, i) => {
        if (ms <= limit) timing.buckets[i] = (timing.buckets[i] ?? 0) + 1;
      });
      timing.sum += ms;
      timing.count += 1;
      timings.set(route, timing);
    },
    text(gauges, counters) {
      const lines = ['# TYPE pinakes_http_requests_total counter'];
      for (const [labels, n] of requests) lines.push(`pinakes_http_requests_total{${labels}} ${n}`);
      lines.push('# TYPE pinakes_http_request_seconds histogram');
      for (const [route, timing] of timings) lines.push(...timingLines(route, timing));
      for (const [kind, metrics] of [
        ['counter', counters],
        ['gauge', gauges],
      ] as const)
        for (const [name, value] of Object.entries(metrics))
          lines.push(`# TYPE pinakes_${name} ${kind}`, `pinakes_${name} ${value}`);
      return `${lines.join('\n')}\n`;
    },
  };
}

function timingLines(route: string, { buckets, sum, count }: Timing): string[] {
  const name = 'pinakes_http_request_seconds';
  return [
    ...BUCKETS_MS.map((limit, i) => `${name}_bucket{route="${route}",le="${limit / 1000}"} ${buckets[i] ?? 0}`),
    `${name}_bucket{route="${route}",le="+Inf"} ${count}`,
    `${name}_sum{route="${route}"} ${(sum / 1000).toFixed(6)}`,
    `${name}_count{route="${route}"} ${count}`,
  ];
}
