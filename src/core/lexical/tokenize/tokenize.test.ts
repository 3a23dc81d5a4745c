import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenize } from './tokenize.ts';
import { workMs } from '../../../../test/support/work-time.ts';

describe('an identifier gives its whole and its parts', () => {
  test.each([
    ['readFileSync', ['readfilesync', 'read', 'file', 'sync']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['max_connections', ['max', 'connection', 'maxconnections']],
    ['std::vec::Vec', ['std', 'vec', 'vec', 'stdvecvec']],
    ['--max-old-space-size', ['max', 'old', 'spac', 'size', 'maxoldspacesize', 'flagmaxoldspacesize']],
    ['@scope/pkg', ['scop', 'pkg', 'scopepkg', 'atscopepkg']],
    ['src/core/chunk.ts', ['src', 'core', 'chunk', 'ts', 'srccorechunkts']],
    ['.env', ['env', 'dotenv']],
    ['utf-8', ['utf', '8', 'utf8']],
    ['sha256', ['sha256']],
    ['C++ C# F#', ['c', 'cpp', 'c', 'csharp', 'f', 'fsharp']],
  ])('%s', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens);
  });
});

test('all spellings of one identifier share the whole', () => {
  const wholes = ['readFileSync', 'read_file_sync', 'read-file-sync', 'ReadFileSync', 'READ_FILE_SYNC', 'readfilesync'];
  for (const spelling of wholes) expect(tokenize(spelling)).toContain('readfilesync');
});

test('a version is found by its prefix and is not a number', () => {
  expect(tokenize('3.11.2')).toEqual(['3', '11', '2', '3v11', '3v11v2']);
  expect(tokenize('v3.11')).toContain('3v11');
  expect(tokenize('311')).toEqual(['311']);
});

test.each([
  'cache caches cached caching',
  'query queries',
  'class classes',
  'embed embeds embedding',
  'set sets setting settings',
  'run running',
])('plurals and verb forms share a stem: %s', (words) => {
  expect(new Set(tokenize(words)).size).toBe(1);
});

test.each([
  'optimise optimize optimising optimized',
  'optimisation optimization optimisations',
  'behaviour behavior behaviours',
  'analyse analyze analysed',
  'catalogue catalog',
])('British and American spellings share a stem: %s', (words) => {
  expect(new Set(tokenize(words)).size).toBe(1);
});

test.each(['process', 'status', 'analysis', 'string', 'during', 'need', 'speed', 'bus', 'os', 'ing'])(
  '%s is not stemmed',
  (word) => {
    expect(tokenize(word)).toEqual([word]);
  },
);

test('accents, ligatures and invisible characters do not matter', () => {
  expect(tokenize('Übergröße')).toEqual(tokenize('ubergrosse'));
  expect(tokenize('façade')).toEqual(tokenize('facade'));
  expect(tokenize('pass\u200bword re\u00adset')).toEqual(['password', 'reset']);
  expect(tokenize('ﬁle')).toEqual(['file']);
});

test('scripts without spaces give bigrams', () => {
  expect(tokenize('全文検索')).toEqual(['全文', '文検', '検索']);
  expect(tokenize('한국어 검색')).toEqual(['한국', '국어', '검색']);
  expect(tokenize('API設計')).toEqual(['api', '設計']);
  expect(tokenize('が')).toEqual(['が']);
});

test('a link target is not tokenized, a call is', () => {
  expect(tokenize('see [the guide](https://docs.example.dev/guide) now')).toEqual(['see', 'the', 'guid', 'now']);
  expect(tokenize('handlers[name](event)')).toEqual(['handler', 'name', 'event']);
});

test('apostrophes leave no stray letters', () => {
  expect(tokenize("don't the server's isn’t")).toEqual(['dont', 'the', 'server', 'isnt']);
});

test('tokens of any text are short, deterministic, and letters and digits only', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 300 })), (text) => {
      const tokens = tokenize(text);
      for (const token of tokens) {
        expect(token).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        expect(token.length).toBeLessThanOrEqual(68);
      }
      expect(tokenize(text)).toEqual(tokens);
    }),
    { numRuns: 500, seed: 6 },
  );
});

test.each([
  ['a'.repeat(2_000_000), 'one word'],
  ['a.'.repeat(1_000_000), 'one identifier'],
  [']('.repeat(1_000_000), 'unclosed links'],
  ['](http'.repeat(300_000), 'nested links'],
  ["a'".repeat(1_000_000), 'apostrophes'],
  ['aB'.repeat(1_000_000), 'capitals'],
  ['漢'.repeat(1_000_000), 'bigrams'],
  ['é'.repeat(1_000_000), 'accents'],
])('a hostile text takes linear time: $1', (text) => {
  expect(workMs(() => tokenize(text))).toBeLessThan(3000);
});
