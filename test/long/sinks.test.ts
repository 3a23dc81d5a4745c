// Fifty kills of a sink for each target; PINAKES_KILLS sets another number.

import { afterAll, expect, test } from 'vitest';
import { killSink, type KillSinkResult } from '../robustness/kills/kill-sink.ts';
import { startQdrant } from '../support/qdrant-server.ts';
import { writeResult } from '../support/write-result.ts';

const KILLS = Number(process.env['PINAKES_KILLS'] ?? 50);
const qdrant = startQdrant();
const results: KillSinkResult[] = [];

const TARGETS = [
  ['a JSONL file', null] as const,
  ...(qdrant === null ? [] : [['Qdrant', qdrant.urls[0] ?? ''] as const]),
];

test.each(TARGETS)(`[K2] %s equals the library after each of ${KILLS} kills of its sink`, async (_, qdrantUrl) => {
  const result = await killSink({ kills: KILLS, files: 120, qdrantUrl });
  results.push(result);
  expect(result.differences).toEqual([]);
  expect(result.killedAtWork).toBeGreaterThan(KILLS / 2);
});

afterAll(() => {
  qdrant?.close();
  writeResult('sinks', { results });
});
