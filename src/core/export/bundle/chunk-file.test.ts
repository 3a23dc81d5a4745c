import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collapseRepeats, expandRepeats } from './chunk-file.ts';

test('four identical lines are collapsed to one and a count, three are not', () => {
  expect(collapseRepeats('a\nb\nb\nb\nb\nc')).toBe('a\nb\n@llmx-repeat 3\nc');
  expect(collapseRepeats('b\nb\nb')).toBe('b\nb\nb');
});

test('any text survives the round trip, even with a literal marker', () => {
  const line = fc.constantFrom(
    '',
    'a',
    'bb',
    '@llmx-repeat 9',
    '\\@llmx-repeat 2',
    '\\\\@llmx-repeat x',
    '@llmx-repeat',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const text = lines.join('\n');
      expect(expandRepeats(collapseRepeats(text), 10_000)).toBe(text);
    }),
  );
});

test.each([
  ['a count without a line above it', '@llmx-repeat 3'],
  ['a count that is not a number', 'a\n@llmx-repeat many'],
  ['a count that would fill the memory', `${'a'.repeat(1000)}\n@llmx-repeat 999999999`],
])('%s is rejected', (_, text) => {
  expect(expandRepeats(text, 1_000_000)).toBeNull();
});
