// Headings are where a reference parser of CommonMark has them.

import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { scanBlocks } from '../../src/core/chunk/markdown/scan-blocks.ts';
import { markdownText } from './arbitrary-markdown.ts';

const reference = new MarkdownIt({ html: true });

/** Lines of the headings that stand in no list and no quote, from 0. */
function referenceHeadings(text: string): number[] {
  return reference
    .parse(text, {})
    .filter(({ type, level }) => type === 'heading_open' && level === 0)
    .map(({ map }) => map?.[0] ?? -1);
}

function ourHeadings(text: string): number[] {
  return scanBlocks(text)
    .filter(({ kind }) => kind === 'heading')
    .map(({ start }) => text.slice(0, start).split('\n').length - 1);
}

test('in generated Markdown', () => {
  fc.assert(
    fc.property(markdownText, (text) => {
      expect(ourHeadings(text)).toEqual(referenceHeadings(text));
    }),
    { numRuns: 300, seed: 9 },
  );
});
