// Arbitrary Markdown with everything that makes chunking hard: long fences, fences in lists and quotes, tables, setext headings,
// HTML, lines without a space.

import * as fc from 'fast-check';

const word = fc.stringMatching(/^[a-zA-Zéß漢字.,_-]{1,12}$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));
const codeLine = fc.oneof(
  sentence,
  fc.constantFrom('', '# not a heading', '| not | a table |', '    indented', '- not an item', '<div>', 'x'.repeat(90)),
);
const code = fc.array(codeLine, { maxLength: 30 });

const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), sentence)
  .map(([level, text]) => `${'#'.repeat(level)} ${text.slice(0, 60)}`);
const underlined = fc.tuple(word, fc.constantFrom('===', '---')).map(([text, line]) => `T${text}\n${line}`);
const paragraph = fc
  .array(sentence, { minLength: 1, maxLength: 5 })
  .map((lines) => lines.map((line) => `p${line}`).join('\n'));
const fence = fc
  .tuple(fc.constantFrom('```', '````', '~~~', '~~~~~'), fc.constantFrom('', 'js', 'ts title="a b"'), code)
  .map(([marks, info, lines]) => [`${marks}${info}`, ...lines, marks].join('\n'));
const fenceInItem = fc
  .tuple(fc.constantFrom('- ', '1. ', '* '), code)
  .map(([mark, lines]) =>
    [`${mark}step`, '```sh', ...lines, '```'].map((line, at) => (at === 0 ? line : `   ${line}`)).join('\n'),
  );
const fenceInQuote = code.map((lines) => ['```', ...lines, '```'].map((line) => `> ${line}`).join('\n'));
const list = fc
  .array(sentence, { minLength: 1, maxLength: 20 })
  .map((items) => items.map((item) => `- ${item}`).join('\n'));
const table = fc
  .array(fc.tuple(word, sentence), { minLength: 1, maxLength: 30 })
  .map((rows) => ['| name | says |', '|---|:-:|', ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n'));
const longLine = fc.integer({ min: 1, max: 3000 }).map((length) => `q${'x'.repeat(length)}`);
const html = sentence.map((text) => `<div>\n${text}\n</div>`);
const other = fc.constantFrom(
  '***',
  '<!-- a\n\n# comment -->',
  '    # indented code',
  '[a]: https://x.dev/a',
  '> quote\nlazy',
);

export const markdownText = fc
  .array(
    fc.oneof(heading, underlined, paragraph, fence, fenceInItem, fenceInQuote, list, table, longLine, html, other),
    { minLength: 1, maxLength: 25 },
  )
  .map((blocks) => `${blocks.join('\n\n')}\n`);
