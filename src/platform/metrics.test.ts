import { expect, test } from 'vitest';
import { createMetrics, gauge, metricsText } from './metrics.ts';

const textOf = (...parts: Parameters<typeof metricsText>[0][]) => metricsText(parts.flat()).split('\n');

test('every metric has its help and its type once, and counts from zero on', () => {
  const metrics = createMetrics(['searches_total', 'crawl_bytes_total']);
  metrics.add('crawl_bytes_total', 1200);
  metrics.add('searches_total', 1, { result: 'found' });
  expect(textOf(metrics.samples())).toEqual([
    '# HELP pinakes_searches_total Searches, by whether they found passages',
    '# TYPE pinakes_searches_total counter',
    'pinakes_searches_total{result="found"} 1',
    'pinakes_searches_total{result="empty"} 0',
    'pinakes_searches_total{result="failed"} 0',
    '# HELP pinakes_crawl_bytes_total Bytes of pages received from sites, before decompression',
    '# TYPE pinakes_crawl_bytes_total counter',
    'pinakes_crawl_bytes_total 1200',
    '',
  ]);
});

test('buckets of a histogram are cumulative', () => {
  const metrics = createMetrics([]);
  metrics.observe('search_duration_seconds', 0.02);
  metrics.observe('search_duration_seconds', 7);
  const lines = textOf(metrics.samples());
  expect(lines).toContain('pinakes_search_duration_seconds_bucket{le="0.01"} 0');
  expect(lines).toContain('pinakes_search_duration_seconds_bucket{le="0.025"} 1');
  expect(lines).toContain('pinakes_search_duration_seconds_bucket{le="5"} 1');
  expect(lines).toContain('pinakes_search_duration_seconds_bucket{le="+Inf"} 2');
  expect(lines).toContain('pinakes_search_duration_seconds_sum 7.02');
  expect(lines).toContain('pinakes_search_duration_seconds_count 2');
});

test('what several threads counted adds up, and a label cannot end its line', () => {
  const one = createMetrics([]);
  const other = createMetrics([]);
  for (const metrics of [one, other]) metrics.add('crawl_failures_total', 2, { reason: 'a "b"\\\n' });
  expect(textOf(one.samples(), other.samples(), [gauge('pages', 3)])).toEqual(
    expect.arrayContaining(['pinakes_crawl_failures_total{reason="a \\"b\\"\\\\\\n"} 4', 'pinakes_pages 3']),
  );
});
