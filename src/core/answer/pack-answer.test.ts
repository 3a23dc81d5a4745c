import { describe, expect, test } from 'vitest';
import { parseQuery, queryTerms, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { formatAnswer, type PageCandidates } from './answer-page.ts';
import { packAnswer, snippet } from './pack-answer.ts';
import { passageParts } from './score-passages.ts';

function parse(query: string): ParsedQuery {
  const terms = queryTerms(query, 0.2);
  return parseQuery(
    query,
    terms,
    terms.map(() => 1),
  );
}

describe('an answer', () => {
  const query = parse('connection pool size');
  const candidatePage = (name: string, text: string, score: number): PageCandidates => ({
    source: 'docs',
    version: '2.1',
    url: `https://x.dev/${name}`,
    title: name,
    checkedAt: '2026-01-02T03:04:05.000Z',
    score,
    candidates: [0, 1, 7].map((at) => ({
      position: at,
      headings: [name, `part ${at}`],
      anchor: `p${at}`,
      lines: { first: at * 100 + 1, last: at * 100 + 90 },
      chunk: `${name}${at}`,
      text: `${text} ${at}`,
      score: 1 - at / 10,
    })),
  });
  const long = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} about the connection pool size.`).join('\n\n');

  test.each([200, 500, 1000, 2000, 4000, 8000])('never has more than %i tokens', (budget) => {
    const pages = Array.from({ length: 12 }, (_, at) => candidatePage(`page${at}`, long, 1 - at / 20));
    const answer = packAnswer(query, pages, budget);
    const rendered = Math.ceil(formatAnswer(answer.pages).length / 4);
    expect(rendered).toBeLessThanOrEqual(budget);
    expect(rendered).toBeLessThanOrEqual(answer.tokens);
    expect(answer.pages.length).toBeGreaterThan(0);
  });

  test('[X3] has at most two passages per page, in page order', () => {
    const [page] = packAnswer(query, [candidatePage('one', 'short', 1)], 2000).pages;
    expect(page?.passages.map(({ chunk }) => chunk)).toEqual(['one0', 'one7']);
    expect(page?.passages[0]?.text).toBe('short 0\n\nshort 1');
    expect(page?.passages[0]?.lines).toEqual({ first: 1, last: 190 });
  });

  test('shows a bare heading only if the page has nothing else', () => {
    const { candidates, ...page } = candidatePage('one', 'short', 1);
    const [first, second] = candidates;
    const heading = { ...first!, text: '# Short', score: 9 };
    const shown = (subset: PageCandidates['candidates']) =>
      packAnswer(query, [{ ...page, candidates: subset }], 2000).pages[0]?.passages.map(({ text }) => text);
    expect(shown([heading, second!])).toEqual([second!.text]);
    expect(shown([heading])).toEqual(['# Short']);
  });

  test('names source, version, URL, date, headings and lines', () => {
    const text = formatAnswer(packAnswer(query, [candidatePage('one', 'short', 1)], 2000).pages);
    for (const part of ['docs 2.1', 'https://x.dev/one', '2026-01-02', 'part 0', 'lines 1–190', '#p0'])
      expect(text).toContain(part);
  });
});

describe('parts of a passage', () => {
  test('a heading, a line ending in a colon and a short block stay with what follows', () => {
    const text = 'A paragraph that says enough to be read alone, without what stands before or behind it.';
    const blocks = ['## Pool', text, 'Like this:', '```js\npool();\n```', 'A note', text];
    expect(passageParts(blocks.join('\n\n'))).toEqual([
      `## Pool\n\n${text}`,
      'Like this:\n\n```js\npool();\n```',
      `A note\n\n${text}`,
    ]);
  });

  test('a fence in a list is one part with its blank lines (finding B16)', () => {
    const step = 'Create a pool before the server starts, and close it when the server stops, as the example shows.';
    const code = '    ```js\n    const pool = open();\n\n    close(pool);\n    ```';
    expect(passageParts(`1. ${step}\n\n${code}\n\n2. ${step}`)).toEqual([`1. ${step}`, code, `2. ${step}`]);
    const inline = `\`\`\`pool\`\`\` is the name of the pool. ${step}`;
    expect(passageParts(`${inline}\n\n${step}`)).toEqual([inline, step]);
  });

  test('a truncated fence in a list is closed where it was opened (finding B16)', () => {
    const code = ['   ```js', ...Array.from({ length: 40 }, () => '   pool(size);'), '   ```'].join('\n');
    expect(snippet(parse('pool size'), `1. a\n\n${code}`, 200)).toMatch(
      /^…\n {3}```js\n(?: {3}pool\(size\);\n)+…\n {3}```$/,
    );
  });

  test('an answer shows the parts with the terms, and marks omissions', () => {
    const noMatch = 'This long line has none of the terms of the query. '.repeat(8).trim();
    const texts = [noMatch, 'The pool size is ten.', noMatch].join('\n\n');
    const candidates = [
      { position: 9, headings: ['a'], anchor: null, lines: { first: 1, last: 9 }, chunk: 'a9', text: texts, score: 1 },
    ];
    const page = {
      source: 'docs',
      version: '',
      url: 'https://x.dev/a',
      title: 'a',
      checkedAt: '2026-01-02',
      score: 1,
      candidates,
    };
    const other = {
      ...page,
      url: 'https://x.dev/b',
      candidates: [{ ...candidates[0]!, text: 'Another pool size, on a second page. '.repeat(4) }],
    };
    const [first] = packAnswer(parse('pool size'), [page, other], 180).pages;
    expect(first?.passages[0]?.text).toContain('The pool size is ten.');
    expect(first?.passages[0]?.text).not.toBe(texts);
  });
});

describe('a snippet', () => {
  const query = parse('pool size');
  test('shows the blocks around the terms and marks omissions', () => {
    const text = `${'Nothing here. '.repeat(30)}\n\nThe pool size is ten.\n\n${'Nothing there. '.repeat(30)}`;
    expect(snippet(query, text, 60)).toBe('…\nThe pool size is ten.\n…');
  });

  test('closes a truncated code fence', () => {
    const code = `\`\`\`js\n${'const pool = size();\n'.repeat(50)}\`\`\``;
    const shown = snippet(query, code, 200);
    expect(shown.length).toBeLessThanOrEqual(200);
    expect(shown.match(/```/g)).toHaveLength(2);
  });
});
