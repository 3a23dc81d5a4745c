// How a page was found, in words.

import { counted } from './format.ts';

const WAYS: Readonly<Record<string, string>> = {
  seed: 'the start',
  'llms-txt': 'llms.txt',
  'llms-full': 'llms-full.txt',
  sitemap: 'sitemap',
  link: 'links',
};

export function wayWords(way: string): string {
  return WAYS[way] ?? way;
}

/** `by llms.txt`, `by links, 2 links from the start`. */
export function foundWords(way: string, depth: number): string {
  if (way === 'seed') return 'as the start';
  return depth === 0 ? `by ${wayWords(way)}` : `by ${wayWords(way)}, ${counted(depth, 'link')} from the start`;
}

const ROUTES: Readonly<Record<string, string>> = {
  suffix: '.md after the address',
  replace: '.md in place of .html',
  'index-html': 'index.html.md below the address',
  'html-suffix': '.html.md after the address',
  alternate: 'the link that each page names',
};

export function routeWords(route: string): string {
  return ROUTES[route] ?? route;
}
