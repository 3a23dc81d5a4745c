import { expect, test } from 'vitest';
import { matchExcerpt, queryTerms, stripInline, type ExcerptBlock } from './match-excerpt.ts';

const PASSAGE = `### DOWNLOAD_TIMEOUT

Default: \`180\`. The amount of time that is unlimited otherwise. A second sentence of it.

The amount of time (in secs) that the downloader will wait before timing out. See **Settings** too.

\`\`\`python
class Spider:

    download_timeout = 30
\`\`\`
`;

const textOf = (blocks: readonly ExcerptBlock[]): string[] =>
  blocks.map(({ spans }) => spans.map(({ text }) => text).join(''));
const marked = (blocks: readonly ExcerptBlock[]): string[] =>
  blocks.flatMap(({ spans }) => spans.filter(({ isMatch }) => isMatch).map(({ text }) => text));

test('an excerpt begins at the sentence that matches best, and keeps code whole (finding T1.11)', () => {
  const excerpt = matchExcerpt(PASSAGE, queryTerms('how long does the downloader wait before timing out'));
  expect(textOf(excerpt)).toEqual([
    '… The amount of time (in secs) that the downloader will wait before timing out. See Settings too.',
    'class Spider:\n\n    download_timeout = 30',
  ]);
  expect(excerpt.map(({ kind }) => kind)).toEqual(['text', 'code']);
});

test('matches are marked and stop words are not; what a misspelt word was read as is (finding T5.3)', () => {
  const terms = queryTerms('what is the timeuot of a spider', [{ readAs: ['timeout'] }]);
  expect(marked(matchExcerpt(PASSAGE, terms))).toEqual(['Spider', 'download_timeout']);
  expect(queryTerms('what is it').size).toBeGreaterThan(0);
});

test('code begins with the sentence that introduces it', () => {
  const passage = 'Some words about nothing.\n\nSet the pool size:\n\n```js\nconst maxPool = 5;\n```\n\nMore.';
  const shown = textOf(matchExcerpt(passage, queryTerms('maxPool')));
  expect(shown).toEqual(['… Set the pool size:', 'const maxPool = 5;', 'More.']);
});

test('a long passage is cut between units, and long code is marked as cut', () => {
  const sentences = Array.from({ length: 40 }, (_, at) => `Sentence number ${at} has some words.`).join(' ');
  const excerpt = matchExcerpt(sentences, queryTerms('number 7'));
  const [text = ''] = textOf(excerpt);
  expect(text).toMatch(/^… Sentence number 7 .*words\. …$/);
  expect(text.length).toBeLessThanOrEqual(424);
  const code = `\`\`\`\n${Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n')}\n\`\`\``;
  const [lines = ''] = textOf(matchExcerpt(code, queryTerms('line')));
  expect(lines.split('\n')).toHaveLength(25);
  expect(lines).toMatch(/\n…$/);
});

test('items and rows of tables stay apart', () => {
  const rows = textOf(matchExcerpt('- one\n- two\n\n| a | b |\n|---|---|\n| `x | y` | 2 |', queryTerms('none')));
  expect(rows).toEqual(['- one', '- two', 'a | b', 'x | y | 2']);
});

test.each([
  ['> **Note** `scrapy.log` is old.', 'Note scrapy.log is old.'],
  ['> [!NOTE] Use `/**` and `__init__`', 'Use /** and __init__'],
  ['See [the guide](/guide "x") and ![this](https://x.dev/a_b).', 'See the guide and this.'],
  ['snake_case_name, a__b__c and 2 ** 3 * 4', 'snake_case_name, a__b__c and 2 ** 3 * 4'],
])('%j is read as %j (finding T5.3)', (line, text) => {
  expect(stripInline(line)).toBe(text);
});

test('a hostile passage takes linear time', () => {
  const hostile = [
    '['.repeat(9000),
    '>'.repeat(9000),
    '| '.repeat(9000),
    '`a'.repeat(9000),
    '**a'.repeat(9000),
    '. A'.repeat(9000),
  ];
  const startedAt = performance.now();
  for (const passage of hostile) matchExcerpt(passage, queryTerms('b'));
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
