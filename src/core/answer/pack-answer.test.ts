import { describe, expect, test } from 'vitest';
import { queryTerms } from '../lexical/query-terms.ts';
import { assemble } from './pack-answer.ts';
import type { PageOffer } from '../rank/join-pieces.ts';
import { focus } from '../rank/focus.ts';
import { nearNames, nearTitles } from '../model/did-you-mean.ts';
import { editDistance, nearestWords } from '../model/edit-distance.ts';
import { pagePart, sectionLines } from './page-excerpt.ts';
import { passageParts } from '../rank/passage-parts.ts';
import { withoutLinkTargets } from '../rank/strip-link-targets.ts';
import { namesIn, questionOf, type Question } from '../lexical/query/parsed-query.ts';
import { rankPages } from '../rank/rank-pages.ts';
import { renderAnswer } from './answer-page.ts';
import type { RankCandidate } from '../rank/signals.ts';
import { versionVerdict } from '../model/version-verdict.ts';

function ask(query: string): Question {
  const terms = queryTerms(query, 0.2);
  return questionOf(
    query,
    terms,
    terms.map(() => 1),
  );
}

function aCandidate(given: Partial<RankCandidate>): RankCandidate {
  return {
    url: 'https://x.dev/a',
    title: 'Page',
    headings: ['Page'],
    symbol: null,
    text: 'text',
    pageKind: 'article',
    pageChunks: 3,
    chunkScore: 1,
    secondScore: 0,
    thirdScore: 0,
    leadScore: 0,
    pageScore: 1,
    covered: 1,
    source: 'docs',
    ...given,
  };
}

describe('the order of pages', () => {
  test('of two pages with equal words, the one whose heading is the question stands first', () => {
    const text = 'a connection pool';
    const pages = [
      aCandidate({ url: 'https://x.dev/a', headings: ['Page', 'Other things'], text }),
      aCandidate({ url: 'https://x.dev/pool', headings: ['Page', 'Connection pool'], text }),
    ];
    expect(rankPages(ask('connection pool'), pages)[0]?.candidate.url).toBe('https://x.dev/pool');
  });

  test('of two pages with equal best chunks, the one that begins with the words stands first', () => {
    const pages = [
      aCandidate({ url: 'https://x.dev/a', text: 'a connection pool' }),
      aCandidate({ url: 'https://x.dev/pool', text: 'one connection pool', leadScore: 1 }),
    ];
    expect(rankPages(ask('connection pool'), pages)[0]?.candidate.url).toBe('https://x.dev/pool');
  });

  test('words that stand together speak for a page more than words that stand apart', () => {
    const far = `connection ${'x '.repeat(40)} pool`;
    const pages = [
      aCandidate({ url: 'https://x.dev/far', text: far }),
      aCandidate({ url: 'https://x.dev/near', text: 'the connection pool' }),
    ];
    expect(rankPages(ask('connection pool'), pages)[0]?.candidate.url).toBe('https://x.dev/near');
  });

  test('the same text under the same title is one find that names its copies', () => {
    const text = 'See [the pool](https://x.dev/de/pool).';
    const pages = [
      aCandidate({ url: 'https://x.dev/de/a', text }),
      aCandidate({ url: 'https://x.dev/a', text: 'See [the pool](https://x.dev/pool).' }),
      aCandidate({ url: 'https://x.dev/b', text: 'Another text' }),
    ];
    const ranked = rankPages(ask('pool'), pages);
    expect(ranked.map(({ candidate }) => candidate.url)).toEqual(['https://x.dev/a', 'https://x.dev/b']);
    expect(ranked[0]?.copies).toEqual(['https://x.dev/de/a']);
  });
});

describe('names in a question', () => {
  test.each([
    ['how does readFileSync work', ['readfilesync']],
    ['set --max-old-space-size for node', ['--max-old-space-size']],
    ['what is EACCES', ['eacces']],
    ['os.path.join()', ['os.path.join']],
    ['plain words only', []],
  ])('%s', (query, names) => {
    expect(namesIn(query)).toEqual(names);
  });
});

describe('misspelt words', () => {
  test('a swap, a loss, a gain and a change are one step each', () => {
    for (const wrong of ['recieve', 'recive', 'receeive', 'recaive'])
      expect(editDistance(wrong, 'receive', 2)).toBeLessThan(3);
    expect(editDistance('ab', 'ba', 2)).toBe(1);
  });

  test('the nearest known words come first, the frequent before the rare', () => {
    const known = [
      { term: 'program', having: 3 },
      { term: 'progress', having: 90 },
      { term: 'programs', having: 1 },
    ];
    expect(nearestWords('progam', known, 2).map(({ term }) => term)).toEqual(['program']);
  });
});

describe('versions', () => {
  const labels = ['3.9', '3.11', '3.2.1', '4.0-rc1', 'stable'];
  test.each([
    ['latest', '3.11'],
    ['3.2.1', '3.2.1'],
    ['^3.2', '3.11'],
    ['~3.2', '3.2.1'],
    ['>=3 <3.10', '3.9'],
    ['3.x', '3.11'],
    ['stable', 'stable'],
  ])('%s is %s', (wanted, label) => {
    expect(versionVerdict(labels, wanted)).toMatchObject({ found: true, label });
  });

  test('[X4] a version that nobody has is never another one', () => {
    expect(versionVerdict(labels, '5')).toEqual({ found: false });
    expect(versionVerdict(labels, 'main')).toEqual({ found: false });
    expect(versionVerdict([], 'latest')).toEqual({ found: false });
  });
});

describe('near names', () => {
  test('a name with a slip or a part of it is near', () => {
    expect(nearNames('pyhton', ['python', 'postgres'])).toEqual(['python']);
    expect(nearNames('next', ['nextjs', 'node'])).toContain('nextjs');
    expect(nearNames('zzzzzzzz', ['python'])).toEqual([]);
  });

  test('titles with a word that is nearly asked for are near', () => {
    expect(nearTitles('conection pooling', ['Connection', 'Zebras'])).toEqual(['Connection']);
  });
});

describe('link targets', () => {
  test('addresses go, texts stay', () => {
    expect(withoutLinkTargets('See [a `b`](https://x.dev/(1)) and ![i](i.png).')).toBe('See a `b` and i.');
  });

  test('code and what only looks like a link stay', () => {
    const code = '```js\nhandlers[name](event)\n```\na[0]( not closed';
    expect(withoutLinkTargets(code)).toBe(code);
  });

  test('what never closes stays as it is', () => {
    for (const text of ['['.repeat(100_000), ']('.repeat(50_000), '[]('.repeat(10_000)])
      expect(withoutLinkTargets(text)).toBe(text);
  });
});

describe('an answer', () => {
  const question = ask('connection pool size');
  const offer = (name: string, text: string, score: number): PageOffer => ({
    source: 'docs',
    version: '2.1',
    url: `https://x.dev/${name}`,
    title: name,
    checkedAt: '2026-01-02T03:04:05.000Z',
    score,
    pieces: [0, 1, 7].map((at) => ({
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
    const offers = Array.from({ length: 12 }, (_, at) => offer(`page${at}`, long, 1 - at / 20));
    const answer = assemble(question, offers, budget);
    const rendered = Math.ceil(renderAnswer(answer.pages).length / 4);
    expect(rendered).toBeLessThanOrEqual(budget);
    expect(rendered).toBeLessThanOrEqual(answer.tokens);
    expect(answer.pages.length).toBeGreaterThan(0);
  });

  test('[X3] has at most two passages of a page, in the order of the page', () => {
    const [page] = assemble(question, [offer('one', 'short', 1)], 2000).pages;
    expect(page?.passages.map(({ chunk }) => chunk)).toEqual(['one0', 'one7']);
    expect(page?.passages[0]?.text).toBe('short 0\n\nshort 1');
    expect(page?.passages[0]?.lines).toEqual({ first: 1, last: 190 });
  });

  test('shows a heading alone only where a page has nothing else', () => {
    const { pieces, ...page } = offer('one', 'short', 1);
    const [first, second] = pieces;
    const heading = { ...first!, text: '# Short', score: 9 };
    const shown = (some: PageOffer['pieces']) =>
      assemble(question, [{ ...page, pieces: some }], 2000).pages[0]?.passages.map(({ text }) => text);
    expect(shown([heading, second!])).toEqual([second!.text]);
    expect(shown([heading])).toEqual(['# Short']);
  });

  test('names source, version, URL, date, headings and lines', () => {
    const text = renderAnswer(assemble(question, [offer('one', 'short', 1)], 2000).pages);
    for (const part of ['docs 2.1', 'https://x.dev/one', '2026-01-02', 'part 0', 'lines 1–190', '#p0'])
      expect(text).toContain(part);
  });
});

describe('parts of a passage', () => {
  test('a heading, a line with a colon and a few words stay with what follows', () => {
    const text = 'A paragraph that says enough to be read alone, without what stands before or behind it.';
    const blocks = ['## Pool', text, 'Like this:', '```js\npool();\n```', 'A note', text];
    expect(passageParts(blocks.join('\n\n'))).toEqual([
      `## Pool\n\n${text}`,
      'Like this:\n\n```js\npool();\n```',
      `A note\n\n${text}`,
    ]);
  });

  test('an answer shows those that have the words, and marks what it leaves out', () => {
    const silent = 'Nothing of what was asked stands in this long line. '.repeat(8).trim();
    const texts = [silent, 'The pool size is ten.', silent].join('\n\n');
    const pieces = [
      { position: 9, headings: ['a'], anchor: null, lines: { first: 1, last: 9 }, chunk: 'a9', text: texts, score: 1 },
    ];
    const page = {
      source: 'docs',
      version: '',
      url: 'https://x.dev/a',
      title: 'a',
      checkedAt: '2026-01-02',
      score: 1,
      pieces,
    };
    const other = {
      ...page,
      url: 'https://x.dev/b',
      pieces: [{ ...pieces[0]!, text: 'Another pool size, on a second page. '.repeat(4) }],
    };
    const [first] = assemble(ask('pool size'), [page, other], 180).pages;
    expect(first?.passages[0]?.text).toContain('The pool size is ten.');
    expect(first?.passages[0]?.text).not.toBe(texts);
  });
});

describe('the part of a passage that answers', () => {
  const question = ask('pool size');
  test('is the blocks around the words, with marks where something is left out', () => {
    const text = `${'Nothing here. '.repeat(30)}\n\nThe pool size is ten.\n\n${'Nothing there. '.repeat(30)}`;
    expect(focus(question, text, 60)).toBe('…\nThe pool size is ten.\n…');
  });

  test('closes a fence that it cuts', () => {
    const code = `\`\`\`js\n${'const pool = size();\n'.repeat(50)}\`\`\``;
    const shown = focus(question, code, 200);
    expect(shown.length).toBeLessThanOrEqual(200);
    expect(shown.match(/```/g)).toHaveLength(2);
  });
});

describe('part of a page', () => {
  const outline = [
    { level: 1, text: 'Top', anchor: 'top', line: 1 },
    { level: 2, text: 'First', anchor: 'first', line: 3 },
    { level: 3, text: 'Deeper', anchor: null, line: 5 },
    { level: 2, text: 'Second', anchor: 'second', line: 7 },
  ];
  test('a section ends where the next of its level begins', () => {
    expect(sectionLines(outline, 'first', 9)).toEqual({ first: 3, last: 6 });
    expect(sectionLines(outline, 'deeper', 9)).toEqual({ first: 5, last: 6 });
    expect(sectionLines(outline, 'absent', 9)).toBeNull();
  });

  test('reading on from `next` gives every line once', () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at} ${'x'.repeat(at)}`).join('\n');
    const parts: string[] = [];
    for (let from: number | null = 1; from !== null;) {
      const part = pagePart(text, { first: from, last: 100 }, 200);
      expect(part.tokens).toBeLessThanOrEqual(200);
      parts.push(part.text);
      from = part.next;
    }
    expect(parts.join('\n')).toBe(text);
  });
});
