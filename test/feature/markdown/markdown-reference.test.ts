// The block scanner finds the structure that a CommonMark reference parser finds. The reference takes quadratic time on
// some inputs, so it is compared on ordinary ones; npm run test:markdown-reference compares the pages of real sites.

import { globSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdownText } from '../../support/arbitrary-markdown.ts';
import { scanMarkdown } from '../../../src/core/markdown/scan-blocks.ts';
import { buildDocument, hostileDocuments } from '../../support/build-document.ts';
import { ownStructure, referenceStructure } from './block-structure.ts';
import { workMs } from '../../support/work-time.ts';

describe('the structure of', () => {
  test.each([
    '# a\n\n##b\n## c ##\ntext\n===\n',
    'a\n---\nb\n***\n---\nc',
    '---\ntitle: a\n---\n\n# a',
    '- a\n  b\nlazy\n\n  c\n\nd',
    '- a\n  - b\n\n    c\n\n      d\n- e',
    '1. a\n2. b\n\n\n3) c\ntext\n7. d',
    'text\n7. no item\n1. item',
    '-\n\n  not in the item',
    '-\n  in the item\n\n  still',
    '-\ta\n\n\tb\n\n\t\tc',
    '10. a\n\n    b\n\n   c',
    '* * *\n* a\n*** b',
    '> a\nlazy\n\nb',
    '> - a\n>   b\nlazy\n> - c\n\n- d',
    '> # a\nnot lazy',
    '> ```\n> a\nnot code',
    '>     code\n>\n> text',
    '- > a\n  > b\n\n  c',
    '- ```js\n  a\n\n  b\n  ```\n  c',
    '1. a\n\n   ```js\n   b\n   ```\n\n2. c',
    '```x``` is inline code\n\ntext',
    '~~~ ~~~ `\ncode\n~~~~  \ntext',
    '````\n```\n````\n`````',
    '    code\n\n    code\n  text\n    text',
    '| a | b |\n|---|:-:|\n| c | d |\ne\n\nf',
    'text\n| a | b |\n|---|---|\n- c',
    '<div>\n# no\n\n# yes\n</div>\ntext',
    '<!-- a\n\n# no -->\n# yes',
    '<pre>\n\n# no\n</pre>\n# yes',
    '<?a\n\n?>\n<!A\n\n>\n<![CDATA[\n\n]]>\ntext',
    'text\n<div>\nhtml',
    '[a]: https://x.dev\ntext\n\n[b]: https://x.dev',
  ])('%j', (text) => {
    expect(ownStructure(text)).toEqual(referenceStructure(text));
  });
});

test('generated pages have the structure of the reference', () => {
  fc.assert(
    fc.property(markdownText, (text) => {
      expect(ownStructure(text)).toEqual(referenceStructure(text));
    }),
    { numRuns: 300, seed: 9 },
  );
});

/**
 * Lines without fences, which may be indented by any amount in a list, and without empty items and quotes, which the
 * reference misses after indented code.
 */
const line = fc
  .tuple(
    fc.array(fc.constantFrom('> ', '- ', '1. ', '  ', '   ', '    ', '\t'), { maxLength: 3 }),
    fc.constantFrom('a', 'b', '# h', '---', '===', '| a | b |', '|---|---|', '<div>', '', ''),
  )
  .map(([prefix, text]) => (text === '' ? '' : prefix.join('') + text));

test('any mixture of quotes, lists, headings and tables has the structure of the reference', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const text = `# Title\n${lines.join('\n')}`;
      expect(ownStructure(text)).toEqual(referenceStructure(text));
    }),
    { numRuns: 2000, seed: 9 },
  );
});

/** Admonitions of MkDocs contain text here and indented code there. */
const exclude = ['**/node_modules/**', 'test/data/golden/extract/mkdocs-page/**'];

test.each(globSync(['*.md', 'docs/**/*.md', 'test/data/golden/**/*.md'], { exclude }))(
  '%s has the structure of the reference',
  (path) => {
    const text = readFileSync(path, 'utf8').replace(/\r\n?/g, '\n');
    expect(ownStructure(text)).toEqual(referenceStructure(text));
  },
);

/** CPU time, so that a busy machine does not matter. A quadratic scanner takes minutes. */
const BUDGET_MS = 2000;

describe('hostile Markdown is scanned in linear time', () => {
  const listed = hostileDocuments.filter(({ type, gen }) => (type === 'md' || type === 'llms') && gen.length > 0);
  const times = (part: string, count: number): string => part.repeat(count);
  test.each<readonly [string, () => string]>([
    ...listed.map((document) => [document.id, () => new TextDecoder().decode(buildDocument(document))] as const),
    ['unclosed raw text', () => times('<pre>\n\n', 200_000)],
    ['raw text in quotes', () => `${times('> <pre>\n\n', 100_000)}</pre>`],
    ['comments', () => times('<!--\n\n', 200_000)],
    ['modules', () => times('export const a = {\n', 20_000)],
    ['nested markers', () => times(`${times('> - ', 200)}\n`, 2000)],
    ['tables', () => times('a | b\n-|-\n', 100_000)],
    ['one paragraph', () => times('a\n', 500_000)],
    ['fences of all lengths', () => Array.from({ length: 1500 }, (_, at) => times('`', at)).join('\n')],
    ['indented lines', () => times(`${times(' ', 1000)}a\n`, 1000)],
  ])('%s', (_, build) => {
    const text = build();
    for (const options of [{}, { isMdx: true }, { isExcerpt: true }]) {
      const scan = (): void => expect(scanMarkdown(text, options).lineKinds.length).toBe(text.split('\n').length);
      expect(workMs(scan)).toBeLessThan(BUDGET_MS);
    }
  });
});
