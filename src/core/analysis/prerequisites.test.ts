import { expect, test } from 'vitest';
import { missingPrerequisites, PREREQUISITES } from './prerequisites.ts';

test('what no run has reached is missing', () => {
  expect(missingPrerequisites([])).toEqual(PREREQUISITES);
  expect(missingPrerequisites([{ kind: 'depth2-coverage' }, { kind: 'downloads-1k' }])).toEqual([
    'full-understanding',
    'articles-identified-1k',
  ]);
  expect(missingPrerequisites(PREREQUISITES.map((kind) => ({ kind })))).toEqual([]);
});
