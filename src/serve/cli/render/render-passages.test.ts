import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { displayWidth, PLAIN_OUTPUT } from './columns.ts';
import { renderPassages } from './render-passages.ts';

const passage = {
  source: 'scrapy',
  version: '2.8',
  declaredVersion: null,
  url: 'https://docs.scrapy.org/settings#download-timeout',
  title: 'Settings',
  headings: ['Settings', 'DOWNLOAD_TIMEOUT'],
  lines: { first: 1, last: 9 },
  checkedAt: '2026-01-01T00:00:00Z',
  chunkId: '9eca03a8e1b2'.padEnd(64, '0'),
  text: `Something else comes before${', and more of it'.repeat(20)}. The time that the downloader waits before timing out, with a few more words to wrap.\n\n\`\`\`python\ndownload_timeout = 30\n\`\`\`\n`,
  isPartial: false,
  injectionFlags: [],
};
const result = {
  mode: 'lexical' as const,
  searched: ['scrapy'],
  preferred: [],
  passages: [passage],
  confidence: 0.8,
  isWeak: false,
  tokens: 50,
  nextOffset: 8,
  corrections: [{ word: 'timeuot', correctedTo: ['timeout'] }],
  suggestions: [],
  crawling: [],
};
const input = { query: 'how long does the downloader wait, timeuot' };

test('a result shows the matching part, its anchor and how to go on (finding T1.11)', () => {
  expect(renderPassages(result, PLAIN_OUTPUT, input)).toBe(`No page contains "timeuot"; also searched for: timeout.
Settings  https://docs.scrapy.org/settings  (scrapy 2.8)
1. DOWNLOAD_TIMEOUT  #download-timeout
   … The time that the downloader waits before timing out, with a few more words to wrap.
       download_timeout = 30

Read a section in full: pinakes read URL#anchor, or its id
More results: add --offset 8 to the same command
`);
});

test('sections of one page are below one line with its title and URL (finding T22)', () => {
  const second = {
    ...passage,
    url: 'https://docs.scrapy.org/settings#it(s)',
    headings: ['Settings', 'Retries', 'It'],
    text: '## It\n\n- Waits **long**\n  - and `often`\n\n| a | b |\n| - | - |\n| waits | 2 |\n\n#### Below\n\nMore.',
    isPartial: true,
  };
  const third = { ...passage, url: 'https://docs.scrapy.org/settings', headings: ['Settings'], isPartial: true };
  const other = { ...passage, url: 'https://docs.scrapy.org/other', version: '', title: 'Other', headings: ['Else'] };
  const passages = [passage, second, third, other];
  expect(renderPassages({ ...result, corrections: [], passages, nextOffset: null }, PLAIN_OUTPUT, input))
    .toBe(`Settings  https://docs.scrapy.org/settings  (scrapy 2.8)
1. DOWNLOAD_TIMEOUT  #download-timeout
   … The time that the downloader waits before timing out, with a few more words to wrap.
       download_timeout = 30

2. Retries › It  #it(s)
   - Waits long
     - and often
   a | b
   waits | 2
   Below
   More.
   … more: pinakes read 'https://docs.scrapy.org/settings#it(s)'

3. Settings  id 9eca03a8e1b2
   … The time that the downloader waits before timing out, with a few more words to wrap.
       download_timeout = 30
   … more: pinakes read 9eca03a8e1b2

Other  https://docs.scrapy.org/other  (scrapy)
4. Else  id 9eca03a8e1b2
   … The time that the downloader waits before timing out, with a few more words to wrap.
       download_timeout = 30

Read a section in full: pinakes read URL#anchor, or its id
`);
});

test('scores are explained by the meaning of each signal (finding T5.3)', () => {
  const why = { page: { score: 1.5, chunk: 2, secondBestChunk: -0.5 }, passage: { score: -3, heading: 1, rank: -4 } };
  const text = renderPassages({ ...result, passages: [{ ...passage, explanation: why }] }, PLAIN_OUTPUT, input);
  expect(text).toContain('score of the page 1.5: best chunk 2, second-best chunk -0.5\n');
  expect(text).toContain('score of the passage -3: heading fits 1, rank of the page -4\n');
});

test('a terminal gets marked words, not stop words, and whole words in each line (finding T1.11)', () => {
  const text = renderPassages(result, { width: 40, colors: true }, input);
  const marked = text
    .split('\u001b[33m')
    .slice(1)
    .map((part) => part.split('\u001b', 1)[0]);
  expect(marked).toEqual(['downloader', 'waits', 'download_timeout']);
  const excerpt = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => /^ {3}[^h]/.test(line));
  for (const line of excerpt) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  expect(excerpt.length).toBeGreaterThan(3);
});

test('results are numbered on from the previous ones (finding T1.11)', () => {
  expect(renderPassages(result, PLAIN_OUTPUT, { ...input, offset: 8 })).toContain('\n9. DOWNLOAD_TIMEOUT');
});

test('a heading cannot begin a line of its own', () => {
  const forged = { ...passage, headings: ['A\n2. Forged\n   https://evil.example'], text: 'x' };
  const lines = renderPassages({ ...result, passages: [forged] }, PLAIN_OUTPUT, input).split('\n');
  expect(lines.filter((line) => /^\s*(?:2\.|https:\/\/evil)/.test(line))).toEqual([]);
});

test('nothing is found yet while a source is being crawled (finding T18)', () => {
  const crawling = [{ source: 'undici', run: 7, pages: 0, found: 43 }];
  const text = renderPassages({ ...result, passages: [], corrections: [], crawling }, PLAIN_OUTPUT, input);
  expect(text).toBe(
    'Nothing found yet. undici is being crawled: 0 of 43 pages are stored so far. Follow it: pinakes status 7\n',
  );
});
