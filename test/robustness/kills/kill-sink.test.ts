// The short form of npm run test:sinks.

import { afterAll, expect, test } from 'vitest';
import { startQdrant } from '../../support/qdrant-server.ts';
import { killSink } from './kill-sink.ts';

const qdrant = startQdrant();
afterAll(() => qdrant?.close());

const TARGETS = [
  ['a JSONL file', null] as const,
  ...(qdrant === null ? [] : [['Qdrant', qdrant.urls[0] ?? ''] as const]),
];

test.each(TARGETS)('[K2] %s equals the library after its sink was killed', async (_, qdrantUrl) => {
  const { differences, killedAtWork } = await killSink({ kills: 3, files: 40, qdrantUrl });
  expect(differences).toEqual([]);
  expect(killedAtWork).toBeGreaterThan(0);
});
