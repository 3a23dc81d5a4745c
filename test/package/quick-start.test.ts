import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { quickStartTranscript } from './quick-start.ts';

test('[U1] a new user sees what the quick start shows', { timeout: 300_000 }, async () => {
  const shown = readFileSync(new URL('../../docs/quick-start-transcript.md', import.meta.url), 'utf8');
  expect(await quickStartTranscript()).toBe(shown);
});
