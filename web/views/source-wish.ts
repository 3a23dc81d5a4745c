// What somebody says about a source before it is added or changed, as the form holds it and as the API takes it.

import type { CrawlSettings, SourceSettings } from '../../src/core/model/source-settings.ts';

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
  /** As they are: names of variables, no secrets. */
  readonly headers: readonly string[];
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
  headers: [],
};

/** A source as it is, ready to be changed. */
export function wishOf(source: string, start: string, settings: Partial<SourceSettings>): SourceWish {
  return {
    ...emptyWish,
    url: start,
    name: source,
    breadth: settings.breadth ?? emptyWish.breadth,
    preset: settings.preset ?? emptyWish.preset,
    allow: (settings.allow ?? []).join('\n'),
    block: (settings.block ?? []).join('\n'),
    maxPages: String(settings.maxPages ?? ''),
    maxDepth: String(settings.maxDepth ?? ''),
    every: settings.every ?? '',
    headers: settings.headers ?? [],
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
  return { url: wish.url.trim(), headers: wish.headers, ...rulesOf(wish) };
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
