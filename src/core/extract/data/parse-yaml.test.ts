import { expect, test } from 'vitest';
import { fieldOf } from './json-fields.ts';
import { parseYaml } from './parse-yaml.ts';
import { workMs } from '../../../../test/support/work-time.ts';

test('scalars are typed as in JSON, unless a number would change its form', () => {
  const text = 'a: 1\nb: true\nc: null\nd: 1.10\ne: 0x1f\nf: 12345678901234567890\ng: 2026-11-15\nh: yes\n200: x\n';
  expect(parseYaml(text, 'typed')).toEqual({
    a: 1,
    b: true,
    c: null,
    d: '1.10',
    e: '0x1f',
    f: '12345678901234567890',
    g: '2026-11-15',
    h: 'yes',
    200: 'x',
  });
});

test('as text, every scalar stays as written', () => {
  expect(parseYaml('a: 1.0\nb: "x\\ty"\nc: >\n  d\n  e\nf: null\n', 'text')).toEqual({
    a: '1.0',
    b: 'x\ty',
    c: 'd e\n',
    f: 'null',
  });
});

test('only the first document is read', () => {
  expect(parseYaml('a: 1\n---\nb: 2\n', 'typed')).toEqual({ a: 1 });
});

test('an alias is the value of its anchor', () => {
  expect(parseYaml('a: &x [1]\nb: *x\n', 'typed')).toEqual({ a: [1], b: [1] });
});

test('tags run nothing, and merge keys merge nothing', () => {
  const text = '%YAML 1.1\n---\na: !!js/function "x"\nb: !ruby/object:X {c: 1}\nd: &d {e: 1}\nf:\n  <<: *d\n';
  expect(parseYaml(text, 'typed')).toEqual({ a: 'x', b: { c: 1 }, d: { e: 1 }, f: { '<<': { e: 1 } } });
});

test('keys that reach a prototype are ordinary keys', () => {
  const value = parseYaml('__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}\n', 'typed');
  expect(fieldOf(value, '__proto__')).toEqual({ polluted: true });
  expect('polluted' in {}).toBe(false);
});

test.each([
  ['an open list', 'a: [1'],
  ['a nested mapping on one line', 'a: b: c'],
  ['an alias without an anchor', 'a: *b'],
  ['a list as a key', '? [a, b]\n: c'],
  ['a list inside of itself', '&a [*a]'],
])('%s is not valid', (_name, text) => {
  expect(parseYaml(text, 'typed')).toBeUndefined();
});

const bomb = (depth: number): string =>
  Array.from({ length: depth }, (_, n) => `a${n}: &a${n} [${n === 0 ? '1' : `*a${n - 1},*a${n - 1},*a${n - 1}`}]`).join(
    '\n',
  );

test.each([
  ['aliases that multiply', bomb(12)],
  ['one anchor a thousand times', `a: &a {b: c}\n${Array.from({ length: 1000 }, (_, n) => `k${n}: *a`).join('\n')}`],
  ['open brackets', '['.repeat(200_000)],
  ['brackets', '['.repeat(5000) + ']'.repeat(5000)],
  ['nested lists', `${'- '.repeat(100_000)}x`],
  ['nested keys', '? '.repeat(100_000)],
  ['nested values', ': '.repeat(100_000)],
  ['indentation', Array.from({ length: 2000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
  ['mappings on one line', 'a: b: c\n'.repeat(50_000)],
  ['more tokens than the limit', '[a,b]\n'.repeat(1_000_000)],
])('%s exceed a limit in little time', (_name, text) => {
  expect(workMs(() => expect(parseYaml(text, 'typed')).toBeUndefined())).toBeLessThan(3000);
});

test.each([
  ['keys', Array.from({ length: 20_000 }, (_, n) => `k${n}: v`).join('\n')],
  ['equal keys', 'a: b\n'.repeat(20_000)],
  ['anchors', Array.from({ length: 20_000 }, (_, n) => `k${n}: &a${n} v`).join('\n')],
  ['comments', `a:\n${' # c\n'.repeat(50_000)} b: c`],
  ['tags on one value', `a: ${'!x '.repeat(20_000)}b`],
  ['quotes', '"a" '.repeat(20_000)],
  ['open quotes', 'a: "\n'.repeat(20_000)],
  ['commas', `{${','.repeat(20_000)}}`],
  ['a long text', `a: |\n${'  words and words\n'.repeat(100_000)}`],
  ['documents', '---\na\n'.repeat(100_000)],
])('many %s take linear time', (_name, text) => {
  expect(workMs(() => parseYaml(text, 'text'))).toBeLessThan(3000);
});
