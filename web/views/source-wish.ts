// What somebody says about a source before it is added, as the form holds it and as the API takes it.

import type { Breadth } from '../../src/core/url/scope.ts';

export interface SourceWish {
  readonly url: string;
  readonly name: string;
  readonly version: string;
  readonly breadth: Breadth;
  readonly preset: 'llms-first' | 'basic-with-sitemap' | 'sitemap-only' | 'basic';
  /** One glob a line. */
  readonly allow: string;
  readonly block: string;
  /** Digits, or empty for no limit. */
  readonly maxPages: string;
}

export const emptyWish: SourceWish = {
  url: '',
  name: '',
  version: '',
  breadth: 'path',
  preset: 'llms-first',
  allow: '',
  block: '',
  maxPages: '',
};

export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function wishBody({ url, breadth, preset, allow, block, maxPages }: SourceWish): Record<string, unknown> {
  const pages = Number(maxPages);
  const limit = pages >= 1 ? { maxPages: Math.floor(pages) } : {};
  return { url: url.trim(), breadth, preset, allow: linesOf(allow), block: linesOf(block), ...limit };
}
