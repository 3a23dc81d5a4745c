import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readProject } from '../../support/project-files.ts';
import { quickStartTranscript, README_SESSION, readmeSession } from './quick-start.ts';

test('[U1] a new user sees what the quick start shows', { timeout: 300_000 }, async () => {
  const shown = readFileSync(new URL('../../../docs/quick-start-transcript.md', import.meta.url), 'utf8');
  expect(await quickStartTranscript()).toBe(shown);
});

test('the commands of the README run in an empty folder, and print what it shows', { timeout: 300_000 }, async () => {
  const readme = readProject('README.md');
  expect(await readmeSession(readme)).toBe(README_SESSION.exec(readme)?.[0]);
});
