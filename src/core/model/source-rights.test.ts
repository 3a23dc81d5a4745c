import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayUseSource, SourcePatterns } from './source-rights.ts';

test.each([
  ['guide', 'guide', true],
  ['guide', 'guides', false],
  ['guide', 'Guide', false],
  ['npm:*', 'npm:@scope/pkg', true],
  ['npm:*', 'pypi:pkg', false],
  ['*', '', true],
  ['team-*-docs', 'team-a-docs', true],
  ['team-*-docs', 'team-docs', false],
  ['*-docs-*', 'a-docs-b', true],
  ['a*a', 'a', false],
  ['a**b', 'ab', true],
  ['gu.de', 'guide', false],
])('%s and the source %s: %s', (pattern, name, expected) => {
  expect(mayUseSource([pattern], name)).toBe(expected);
});

test('no pattern allows nothing, and no list of patterns allows everything', () => {
  expect(mayUseSource([], 'guide')).toBe(false);
  expect(mayUseSource(null, 'guide')).toBe(true);
  expect(SourcePatterns.safeParse([]).success).toBe(false);
});

test('a pattern matches what the same regular expression matches', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(text, pattern, (name, glob) => {
      const source = glob.replaceAll('.', '\\.').replaceAll(/\*+/g, '.*');
      expect(mayUseSource([glob], name)).toBe(new RegExp(`^${source}$`).test(name));
    }),
  );
});
