// URLs of a synthetic web, by number, so that old and new links can be drawn without storing them.

import { hash } from 'node:crypto';

export const LINKS_PER_PAGE = 50;
const KNOWN_SHARE = 0.8;

export function urlOf(n: number, hosts: number): string {
  return `https://h${n % hosts}.test/p/${n}`;
}

export function keyOf(url: string): Buffer {
  return hash('sha256', url, 'buffer').subarray(0, 16);
}

/** Draws 50 links, of which 80 % are below `size`; the others come from `next`. */
export function drawLinks(random: () => number, size: number, next: () => number): number[] {
  return Array.from({ length: LINKS_PER_PAGE }, (_, i) =>
    i < LINKS_PER_PAGE * KNOWN_SHARE ? Math.floor(random() * size) : next(),
  );
}
