import { expect, test } from 'vitest';
import { workMs } from '../../../test/support/work-time.ts';
import { createSourceFinder, findSource } from './source-reference.ts';

const NAMES = ['django', 'npm:zod', 'npm:@scope/ui', 'npm:redis', 'pypi:redis', 'docs@2', 'npm:zod@3.25.1'];
const sources = NAMES.map((name) => ({ name }));

test.each([
  ['django', 'django', undefined],
  ['npm:zod', 'npm:zod', undefined],
  ['npm:zod@3.25.1', 'npm:zod', '3.25.1'],
  ['zod', 'npm:zod', undefined],
  ['zod@^3', 'npm:zod', '^3'],
  ['@scope/ui', 'npm:@scope/ui', undefined],
  ['npm:@scope/ui@1.0.0', 'npm:@scope/ui', '1.0.0'],
  ['docs@2', 'docs@2', undefined],
])('%s is %s', (reference, name, version) => {
  expect(findSource(sources, reference)).toEqual({ source: { name }, version });
});

test.each(['redis', 'od', '', '@', 'npm:', 'unknown@1'])('%j is no source', (reference) => {
  expect(findSource(sources, reference)).toBeUndefined();
});

test('a thousand references are found among twenty thousand sources in milliseconds', () => {
  const many = Array.from({ length: 20_000 }, (_, nth) => ({ name: `npm:package-${nth}` }));
  const references = Array.from({ length: 1000 }, (_, nth) => `package-${nth * 20}@1.0.${nth}`);
  let found: readonly unknown[] = [];
  expect(workMs(() => (found = references.map(createSourceFinder(many))))).toBeLessThan(200);
  expect(found.at(-1)).toEqual({ source: { name: 'npm:package-19980' }, version: '1.0.999' });
});
