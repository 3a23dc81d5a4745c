// Headings are where a CommonMark reference parser finds them.

import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { scanBlocks } from '../../src/core/markdown/scan-blocks.ts';
import { markdownText } from './arbitrary-markdown.ts';

const reference = new MarkdownIt({ html: true });

/** 0-based lines of the headings that are not in a list or quote. */
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

test('headings of generated Markdown are those of the reference parser', () => {
  fc.assert(
    fc.property(markdownText, (text) => {
      expect(ourHeadings(text)).toEqual(referenceHeadings(text));
    }),
    { numRuns: 300, seed: 9 },
  );
});
