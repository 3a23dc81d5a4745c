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
  expect((await killSink({ kills: 2, files: 40, qdrantUrl })).differences).toEqual([]);
});
