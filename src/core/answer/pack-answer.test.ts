import { describe, expect, test } from 'vitest';
import { parseQuery, queryTerms, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { answerMarkdown } from './cited-markdown.ts';
import type { Chunk } from '../model/chunk.ts';
import type { OutlineEntry } from '../model/document.ts';
import { pageSections } from '../outline/heading-path.ts';
import { answerWeights, featureNames } from './answer-weights.table.ts';
import { packAnswer, type PackOptions } from './pack-answer.ts';
import type { PageCandidates } from './passage-candidates.ts';
import { passageParts } from './passage-parts.ts';

function parse(query: string): ParsedQuery {
  const terms = queryTerms(query, 0.2);
  return parseQuery(query, terms);
}

const query = parse('connection pool size');

/** A page of one chunk per text, with the headings that the texts begin with. */
function candidatePage(name: string, texts: readonly string[], score = 1): PageCandidates {
  const lines = texts.join('\n').split('\n');
  const outline = lines.flatMap((text, at): OutlineEntry[] => {
    const heading = /^(#+) (.*)$/.exec(text);
    return heading === null
      ? []
      : [{ level: heading[1]!.length, text: heading[2]!, anchor: heading[2]!.toLowerCase(), line: at + 1 }];
  });
  const sections = pageSections(name, outline);
  let first = 1;
  const candidates = texts.map((text, position) => {
    const last = first + text.split('\n').length - 1;
    const chunk: Pick<Chunk, 'headings' | 'anchor' | 'lines' | 'text'> = {
      headings: [name],
      anchor: null,
      lines: { first, last },
      text,
    };
    first = last + 1;
    const parts = passageParts(chunk, sections);
    return { chunk: `${name}${position}`.padEnd(64, '0'), position, parts, score: 1 - position / 100, similarity: 0 };
  });
  const origin = { source: 'docs', version: '2.1', declaredVersion: null, checkedAt: '2026-01-02T03:04:05.000Z' };
  return { ...origin, url: `https://x.dev/${name}`, title: name, score, candidates };
}

const pack = (pages: readonly PageCandidates[], options: Partial<PackOptions> = {}) =>
  packAnswer(query, pages, { budget: 2000, limit: 50, skip: 0, fill: true, ...options });

const sentence = (about: string): string => `${about} has a text that is long enough to be read alone, without others.`;

describe('an answer', () => {
  const long = Array.from({ length: 60 }, (_, at) => sentence(`Paragraph ${at} about the connection pool size`));

  test('a section that the query names counts less if the rest of the query is missing in it', () => {
    const pages = [
      candidatePage('page', [`## on_commit\n\n\`on_commit(func, using=None)\`\n\n${sentence('The rest')}`]),
    ];
    const named = (text: string): number | undefined =>
      packAnswer(parse(text), pages, { budget: 2000, limit: 50, skip: 0 }).passages[0]?.best.features.named;
    expect(named('on_commit')).toBe(1);
    expect(named('what does on_commit do')).toBeGreaterThan(0.8);
    expect(named('delayed callbacks of on_commit in transactions')).toBeLessThan(0.8);
  });

  test('the cited path names a heading once that repeats the title', () => {
    const text = `## page\n\n${sentence('The connection pool')}\n\n### Size\n\n${sentence('The size of a connection pool')}`;
    const { passages } = pack([candidatePage('page', [text])]);
    expect(passages.map(({ headings }) => headings)).toContainEqual(['page', 'Size']);
    expect(passages.map(({ headings }) => headings)).toContainEqual(['page']);
  });

  test('each passage has its own score, the sum of its features (finding T5.3)', () => {
    const text = `# One\n\n${sentence('A thing')}\n\n# Connection pool\n\n${sentence('The connection pool size')}`;
    const { passages } = pack([candidatePage('page', [text])]);
    expect(passages).toHaveLength(2);
    expect(passages[0]?.best.score).toBeGreaterThan(passages[1]?.best.score ?? 0);
    for (const { best } of passages) {
      const sum = featureNames.reduce((total, name) => total + answerWeights[name] * best.features[name], 0);
      expect(best.score).toBeCloseTo(sum);
    }
  });

  test.each([200, 500, 1000, 2000, 4000, 8000])('never has more than %i tokens', (budget) => {
    const pages = Array.from({ length: 8 }, (_, at) => candidatePage(`page${at}`, [long.join('\n\n')], 1 - at / 20));
    const { passages, tokens } = pack(pages, { budget });
    expect(Math.ceil(answerMarkdown(passages).length / 4)).toBe(tokens);
    expect(tokens).toBeLessThanOrEqual(budget);
    expect(passages.length).toBeGreaterThan(0);
  });

  test('has the best passage first, whichever page it is on; of packages, the best page', () => {
    const first = candidatePage('one', [sentence('Another thing')], 1);
    const second = candidatePage('two', [sentence('The connection pool size')], 0.9);
    const titles = (...pages: PageCandidates[]): string[] => pack(pages).passages.map(({ title }) => title);
    expect(titles(first, second)).toEqual(['two', 'one']);
    const inPackage = { ...first, source: 'npm:pools' };
    expect(titles(inPackage, { ...second, source: 'npm:pools' })).toEqual(['one', 'two']);
    expect(titles(inPackage, second)).toEqual(['two', 'one']);
  });

  test('[X3] a passage is the innermost section, and siblings are separate passages, best first', () => {
    const texts = [
      `# one\n\n${sentence('The start')}`,
      `## Pools\n\n### Size\n\n${sentence('The connection pool size')}\n\n### Life\n\n${sentence('A connection pool')}`,
    ];
    const { passages } = pack([candidatePage('one', texts)]);
    expect(passages.map(({ url, text, lines }) => ({ url, text, lines }))).toEqual([
      { url: 'https://x.dev/one#size', text: sentence('The connection pool size'), lines: { first: 8, last: 8 } },
      { url: 'https://x.dev/one#one', text: sentence('The start'), lines: { first: 3, last: 3 } },
      { url: 'https://x.dev/one#life', text: sentence('A connection pool'), lines: { first: 12, last: 12 } },
    ]);
    expect(passages[0]?.headings).toEqual(['one', 'Pools', 'Size']);
    const scores = passages.map(({ best }) => best.score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
  });

  test('the section that the query names comes first at every budget (finding T1)', () => {
    const mention = `When the poolSize option is not set, the pool of a connection has any size. ${sentence('It')}`;
    const texts = ['Alpha', 'Beta', 'poolSize', 'Delta'].map((name) =>
      name === 'poolSize' ? '## poolSize\n\nDefault: 8' : `## ${name}\n\n${mention}`,
    );
    for (const requested of ['poolSize', 'what does poolSize do', 'poolSize default']) {
      for (const budget of [200, 500, 2000]) {
        const [first] = packAnswer(parse(requested), [candidatePage('one', texts)], {
          budget,
          limit: 8,
          skip: 0,
        }).passages;
        expect(first).toMatchObject({ url: 'https://x.dev/one#poolsize', text: 'Default: 8', isPartial: false });
      }
    }
  });

  test('ends when the rest is unlikely to add anything, and reports it (finding T1)', () => {
    const other = candidatePage('two', [sentence('Another thing entirely')], 0.1);
    const requested = parse('poolSize');
    const named = candidatePage('one', [`## poolSize\n\n${sentence('The poolSize option')}`]);
    const { passages, hasMore } = packAnswer(requested, [named, other], { budget: 2000, limit: 8, skip: 0 });
    expect(passages.map(({ title }) => title)).toEqual(['one']);
    expect(hasMore).toBe(true);
    const rest = packAnswer(requested, [named, other], { budget: 2000, limit: 8, skip: 1 });
    expect(rest.passages.map(({ title }) => title)).toEqual(['two']);
  });

  test('the best window of a long paragraph comes before the next passage, and the rest of it after', () => {
    const paragraph = [sentence('The connection pool size'), ...long.slice(0, 12)].join(' ');
    const pages = [sentence('The connection pool size'), paragraph, sentence('The connection pool size')].map(
      (text, at) => candidatePage(`page${at}`, [text]),
    );
    const lengths = (budget: number): Array<number | undefined> => {
      const { passages } = pack(pages, { budget });
      return pages.map(({ title }) => passages.find((one) => one.title === title)?.text.length);
    };
    const [, window = 0] = lengths(200);
    expect(window).toBeGreaterThan(300);
    expect(window).toBeLessThanOrEqual(500);
    expect(lengths(250)).toEqual([expect.any(Number), window, expect.any(Number)]);
    const [, longer = 0] = lengths(2000);
    expect(longer).toBeGreaterThan(500);
    expect(longer).toBeLessThanOrEqual(800);
  });

  test('a long section is shown as a window of it, and marked as partial', () => {
    const texts = Array.from({ length: 60 }, (_, at) => sentence(`Paragraph ${at} about nothing`));
    texts[30] = sentence('The connection pool size');
    const [passage] = pack([candidatePage('one', [`## Pools\n\n${texts.join('\n\n')}`])], { budget: 200 }).passages;
    expect(passage?.text).toContain('The connection pool size');
    expect(passage?.isPartial).toBe(true);
  });

  test('leaves out what says nothing, unless there is nothing else', () => {
    const pointer = 'See also: connection pool size.';
    const shown = (texts: string[]) => pack([candidatePage('one', texts)]).passages.map(({ text }) => text);
    expect(shown([sentence('A connection pool'), pointer, 'Pool'])).toEqual([sentence('A connection pool')]);
    expect(shown([pointer])).toEqual([pointer]);
  });

  test('is cut at the matching sentence if the first passage is too long', () => {
    const text = `${sentence('Nothing')} ${sentence('The connection pool size')} ${sentence('Nothing more').repeat(20)}`;
    const [passage] = pack([candidatePage('one', [text])], { budget: 150 }).passages;
    expect(passage?.text).toMatch(/^… The connection pool size has/);
  });

  test('continues after the passages that were shown', () => {
    const pages = ['one', 'two', 'three'].map((name, at) =>
      candidatePage(name, [sentence('The connection pool size')], 1 - at / 10),
    );
    const all = pack(pages).passages.map(({ title }) => title);
    const first = pack(pages, { limit: 2 });
    expect(first.hasMore).toBe(true);
    const rest = pack(pages, { skip: 2 });
    expect([...first.passages, ...rest.passages].map(({ title }) => title)).toEqual(all);
    expect(rest.hasMore).toBe(false);
  });
});
