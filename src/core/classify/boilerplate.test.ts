import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Document } from '../model/document.ts';
import { pageUrl } from '../model/page-url.ts';
import { blockFingerprints, boilerplateMask, maskedLines } from './boilerplate.ts';

const page = (text: string): Document => ({
  url: pageUrl('https://docs.test/a'),
  format: 'markdown',
  title: 'A',
  description: null,
  language: null,
  codeLanguage: null,
  canonical: null,
  text,
  outline: [],
  links: [],
});

const NOTICE = 'Was this page helpful? Tell us in 30 seconds.';
const own = (index: number) => page(`# Page ${index}\n\nOnly page ${'x'.repeat(index)} says this.\n\n${NOTICE}\n`);
const site = Array.from({ length: 20 }, (_, index) => own(index + 1));
const maskOf = (pages: readonly Document[]) => boilerplateMask(pages.map(blockFingerprints));

test('a block on every page is masked, by its lines, and nothing else is', () => {
  expect(maskedLines(own(3), maskOf(site))).toEqual([{ first: 5, last: 5 }]);
});

test('a block on a few pages is content', () => {
  const pages = [...site.map((_, index) => page(`Text ${'y'.repeat(index)}\n`)), own(1), own(2)];
  expect(maskOf(pages).blocks.size).toBe(0);
});

test('copies that differ in figures and spaces are the same block', () => {
  const pages = site.map((_, index) => page(`Unique ${'z'.repeat(index)}\n\nLast updated on  ${index} May 2026\n`));
  expect(maskedLines(pages[0]!, maskOf(pages))).toEqual([{ first: 3, last: 3 }]);
});

test('copies of a link with other targets are the same block', () => {
  const pages = site.map((_, index) =>
    page(`Unique ${'z'.repeat(index)}\n\n[Edit this page](https://x.test/${'e'.repeat(index)})\n`),
  );
  expect(maskedLines(pages[0]!, maskOf(pages))).toEqual([{ first: 3, last: 3 }]);
});

test('a block that recurs on a page is content, and a label is not a block', () => {
  const pages = site.map((_, index) =>
    page(`${'z'.repeat(index + 1)}\n\nNew in version 3.8.\n\nNew in version 3.9.\n\nReturns\n`),
  );
  expect(maskOf(pages).blocks.size).toBe(0);
});

test('headings and code are never boilerplate', () => {
  const pages = site.map((_, index) =>
    page(`## Parameters\n\n\`\`\`sh\nnpm i\n\n\`\`\`\n\nUnique ${'z'.repeat(index)}\n`),
  );
  expect(maskOf(pages).blocks.size).toBe(0);
});

test('a page that is all boilerplate keeps its text', () => {
  expect(maskedLines(page(`${NOTICE}\n`), maskOf(site))).toEqual([]);
});

test('a small source has no mask', () => {
  expect(maskOf(site.slice(0, 5)).blocks.size).toBe(0);
});

test('the order of the pages does not matter', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(site, { minLength: site.length }), (shuffled) => {
      expect(maskOf(shuffled)).toEqual(maskOf(site));
    }),
    { numRuns: 20 },
  );
});
