import { expect, test } from 'vitest';
import { matchExcerpt, excerptTerms, type ExcerptBlock, type MarkedText } from './match-excerpt.ts';

const LONG = `It goes on${' and on'.repeat(40)}.`;

const PASSAGE = `### DOWNLOAD_TIMEOUT

Default: \`180\`. ${LONG} The amount of time that is unlimited otherwise. A second sentence of it.

The amount of time (in secs) that the downloader will wait before timing out. See **Settings** too.

\`\`\`python
class Spider:

    download_timeout = 30
\`\`\`
`;

function excerpt(text: string, query: string, url = 'https://x.dev/a'): readonly ExcerptBlock[] {
  const passage = { text, url, title: 'Settings', headings: ['Settings', 'DOWNLOAD_TIMEOUT'] };
  return matchExcerpt(passage, excerptTerms(query)).blocks;
}

const plain = (spans: MarkedText): string => spans.map(({ text }) => text).join('');
const cells = (row: readonly MarkedText[]): string => row.map(plain).join(' | ');

/** One string for each block, with a mark for its kind. */
function shown(blocks: readonly ExcerptBlock[]): string[] {
  return blocks.map((block) => {
    switch (block.kind) {
      case 'heading':
        return `# ${plain(block.spans)}`;
      case 'text':
        return plain(block.spans);
      case 'item':
        return `${'  '.repeat(block.depth)}${block.marker} ${plain(block.spans)}`;
      case 'code':
        return ['```', ...block.lines.map(plain)].join('\n');
      case 'table':
        return [`[${block.head === null ? '' : cells(block.head)}]`, ...block.rows.map(cells)].join('\n');
      case 'omission':
        return '(…)';
    }
  });
}

function spansOf(block: ExcerptBlock): MarkedText {
  switch (block.kind) {
    case 'heading':
    case 'text':
    case 'item':
      return block.spans;
    case 'code':
      return block.lines.flat();
    case 'table':
      return block.rows.flat(2);
    case 'omission':
      return [];
  }
}

const marked = (blocks: readonly ExcerptBlock[]): string[] =>
  blocks.flatMap((block) =>
    spansOf(block)
      .filter(({ isMatch }) => isMatch)
      .map(({ text }) => text),
  );

test('an excerpt begins at the sentence that matches best, and keeps code whole (finding T1.11)', () => {
  expect(shown(excerpt(PASSAGE, 'how long does the downloader wait before timing out'))).toEqual([
    '… The amount of time (in secs) that the downloader will wait before timing out. See Settings too.',
    '```\nclass Spider:\n\n    download_timeout = 30',
  ]);
});

test('matches and corrected words are marked, and stop words are not (finding T5.3)', () => {
  const terms = excerptTerms('what is the timeuot of a spider', [{ correctedTo: ['timeout'] }]);
  const passage = { text: PASSAGE, url: 'https://x.dev/', title: 'Settings', headings: ['DOWNLOAD_TIMEOUT'] };
  expect(marked(matchExcerpt(passage, terms).blocks)).toEqual(['Spider', 'download_timeout']);
  expect(excerptTerms('what is it').size).toBeGreaterThan(0);
});

test('code begins with the sentence that introduces it', () => {
  const passage = `${LONG}\n\nSet the pool size:\n\n\`\`\`js\nconst maxPool = 5;\n\`\`\`\n\nMore.`;
  expect(shown(excerpt(passage, 'maxPool'))).toEqual(['… Set the pool size:', '```\nconst maxPool = 5;', 'More.']);
});

test('a long passage is cut between sentences', () => {
  const sentences = Array.from({ length: 40 }, (_, at) => `Sentence number ${at} has some words.`).join(' ');
  const [text = ''] = shown(excerpt(sentences, 'number 7'));
  expect(text).toMatch(/^… Sentence number 7 .*words\. …$/);
  expect(text.length).toBeLessThanOrEqual(424);
});

test('long code is cut around the match, and long tables below their head (finding T22)', () => {
  const lines = Array.from({ length: 100 }, (_, at) => (at === 80 ? 'connectionPool()' : `line ${at}`));
  const code = excerpt(`\`\`\`\n${lines.join('\n')}\n\`\`\``, 'connectionPool');
  expect(code.map(({ kind }) => kind)).toEqual(['omission', 'code']);
  expect(shown(code)[1]).toMatch(/^```\nline 77\nline 78\nline 79\nconnectionPool\(\)\nline 81\n(?:.*\n){6}line 88$/);
  const rows = Array.from({ length: 30 }, (_, at) => `| ${at === 20 ? '`pool`' : `name ${at}`} | ${at} |`);
  const table = excerpt(['| Name | Value |', '| --- | --- |', ...rows].join('\n'), 'pool');
  expect(shown(table)[1]).toMatch(/^\[Name \| Value\]\nname 19 \| 19\npool \| 20\n(?:.*\n){3}name 24 \| 24$/);
});

test('short text before a match is shown, and code that does not fit is not (finding T22)', () => {
  const code = (lines: number): string => `\`\`\`\n${'line\n'.repeat(lines)}\`\`\``;
  const passage = {
    url: 'https://x.dev/',
    title: 'A',
    headings: ['A'],
    text: `One. The pool.\n\n${code(9)}\n\n${code(4)}`,
  };
  const { blocks, hasMore } = matchExcerpt(passage, excerptTerms('pool'));
  expect(shown(blocks)).toEqual(['One. The pool.', `\`\`\`${'\nline'.repeat(9)}`]);
  expect(hasMore).toBe(true);
});

test('headings above the match are shown, except one that is shown already (finding T22)', () => {
  const passage = `### DOWNLOAD_TIMEOUT\n\nIt is a number.\n\n#### On \`Windows\` {#w}\n\n${LONG} The pool is small.\n\n#### Next\n`;
  expect(shown(excerpt(passage, 'small pool'))).toEqual(['# On Windows', '… The pool is small. …']);
  expect(shown(excerpt(passage, 'number'))).toEqual([
    'It is a number.',
    '# On Windows',
    `${LONG} The pool is small. …`,
  ]);
});

test('lines of a source file stay apart, and keep their indent (finding T22)', () => {
  const code = '// Opens it.\nexport function open() {\n  return pool;\n}\n';
  expect(shown(excerpt(code, 'pool', 'file:///src/open.ts'))).toEqual([`\`\`\`\n${code.trim()}`]);
});

test('lists keep their markers and their nesting, and inline code is told apart (finding T22)', () => {
  const list = '- one **two**\n  continued\n  * `a.b`. The *next* one\n\n2. three';
  const blocks = excerpt(list, 'none');
  expect(shown(blocks)).toEqual(['- one two continued', '  - a.b. The next one', '2. three']);
  expect(blocks.flatMap(spansOf).filter(({ isCode }) => isCode)).toEqual([
    { text: 'a.b', isMatch: false, isCode: true },
  ]);
});

test.each([
  ['of Markdown', '| a | b |\n|---|---|\n| `x \\| y` | 2<br>3 |\n…\n| z | |', '[a | b]\nx | y | 2\n3\n…\nz | '],
  ['without a head', '|  |  |\n| --- | --- |\n| `x` | y |', '[]\nx | y'],
  ['that begins in the middle', '| x | y |', '[]\nx | y'],
  [
    'of HTML',
    '<table>\n<tr><th>a</th><th colspan="2">b</th></tr>\n<tr><td><code>x&lt;T&gt;</code></td><td>1 <a href="/b">two</a></td></tr>\n</table>',
    '[a | b]\nx<T> | 1 two',
  ],
])('a table %s has cells (finding T22)', (_name, table, expected) => {
  expect(shown(excerpt(table, 'none'))).toEqual([expected]);
});

test('an excerpt does not end with the head of a table without rows (finding T22)', () => {
  const passage = `The pool.\n\n…\n| a | b |\n|---|---|\n…\n| ${'long '.repeat(70)} | ${'long '.repeat(70)} |`;
  expect(shown(excerpt(passage, 'pool'))).toEqual(['The pool. …']);
});

test('an omission in a passage stays visible (finding T22)', () => {
  expect(shown(excerpt('One.\n…\nTwo.', 'none'))).toEqual(['One.', '(…)', 'Two.']);
});

test('a hostile passage takes linear time', () => {
  const hostile = [
    '[',
    '>',
    '| ',
    '`a',
    '**a',
    '. A',
    '`a`. B',
    '](',
    '<a ',
    '*a* ',
    '<tr><td>',
    '\\',
    '# ',
    '- ',
    '_a',
  ];
  const started = process.cpuUsage();
  for (const part of hostile) {
    excerpt(part.repeat(50_000 / part.length), 'b');
    excerpt(`${part}\n`.repeat(50_000 / (part.length + 1)), 'b');
  }
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(15_000);
});
