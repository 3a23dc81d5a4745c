// What somebody says about a source before it is added or changed, as the form holds it and as the API takes it.

import type { CrawlSettings, SourceSettings } from '../../../src/core/model/source-settings.ts';

export interface SourceWish {
  readonly url: string;
  readonly name: string;
  readonly version: string;
  readonly breadth: CrawlSettings['breadth'];
  readonly preset: CrawlSettings['preset'];
  /** One glob a line. */
  readonly allow: string;
  readonly block: string;
  /** Digits, or empty for no limit. */
  readonly maxPages: string;
  readonly maxDepth: string;
  /** Empty for only when asked. */
  readonly every: string;
  /** What the form does not show and leaves as it is. */
  readonly others: Partial<CrawlSettings>;
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
  maxDepth: '',
  every: '',
  others: {},
};

/** A source as it is, ready to be changed. */
export function wishOf(source: string, start: string, settings: Partial<SourceSettings>): SourceWish {
  const { every, breadth, preset, allow = [], block = [], maxPages, maxDepth, ...others } = settings;
  return {
    ...emptyWish,
    url: start,
    name: source,
    breadth: breadth ?? emptyWish.breadth,
    preset: preset ?? emptyWish.preset,
    allow: allow.join('\n'),
    block: block.join('\n'),
    maxPages: String(maxPages ?? ''),
    maxDepth: String(maxDepth ?? ''),
    every: every ?? '',
    others,
  };
}

export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** How it is crawled: what a plan needs. */
export function planBody(wish: SourceWish): Record<string, unknown> {
  return { ...wish.others, url: wish.url.trim(), ...rulesOf(wish) };
}

export function addBody(wish: SourceWish): Record<string, unknown> {
  const { name, version, every } = wish;
  return {
    ...planBody(wish),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(version.trim() !== '' && { version: version.trim() }),
    every: every === '' ? null : every,
  };
}

/** Said in full, so that what is empty now is taken away. */
export function editBody(wish: SourceWish): Record<string, unknown> {
  return { ...rulesOf(wish), name: wish.name.trim(), every: wish.every === '' ? null : wish.every };
}

function rulesOf({ breadth, preset, allow, block, maxPages, maxDepth }: SourceWish): Record<string, unknown> {
  const pages = Number(maxPages);
  return {
    breadth,
    preset,
    allow: linesOf(allow),
    block: linesOf(block),
    maxPages: pages >= 1 ? pages : null,
    maxDepth: maxDepth === '' ? null : Number(maxDepth),
  };
}
