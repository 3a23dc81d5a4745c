// How well the query fits the title of a page of a package: `rich.live` is the page about Live, `rich.live_render` less so. Files of a
// package repeat each other's words, and their names tell them apart.

import type { ParsedQuery } from '../lexical/query/parsed-query.ts';
import { contentTokens } from '../lexical/tokenize/tokenize.ts';
import { packageOf } from '../model/source-name.ts';

interface TitledPage {
  readonly title: string;
  /** Name of the source. */
  readonly source: string;
}

/**
 * The share of the title's words that the query has, less if they are its least telling words. Words of the package's own name do not count. 0 for other
 * sources, and where several packages are searched and the query names another one: a word of a title says little among all of them.
 */
export function titleFit(query: ParsedQuery, { title, source }: TitledPage): number {
  const name = packageOf(source);
  if (name === null || query.namesSource?.(source) === false) return 0;
  const ofPackage = contentTokens(separated(name));
  const tokens = [...contentTokens(separated(lastComponent(title)))].filter((token) => !ofPackage.has(token));
  const weights = tokens.flatMap((token) => query.termWeights.get(token) ?? []);
  if (weights.length === 0) return 0;
  const meanWeight = query.totalWeight / query.termWeights.size;
  return Math.min(1, Math.sqrt(Math.max(...weights) / meanWeight)) * (weights.length / tokens.length);
}

/** The file of `bullmq/dist/types/keep-jobs` and the module of `clap::builder::arg`; a title in words is taken whole. */
function lastComponent(title: string): string {
  return title.includes(' ') ? title : title.slice(Math.max(title.lastIndexOf('/'), title.lastIndexOf(':')) + 1);
}

/** Without the whole of joined names, which would count as a further word. */
function separated(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
}
