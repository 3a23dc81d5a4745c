// Page-level robots directives: X-Robots-Tag headers and `<meta name="robots">`. The most restrictive one wins.

import { PRODUCT_TOKEN } from './robots.ts';

export interface RobotsMeta {
  readonly name: string;
  readonly content: string;
}

export interface PageDirectives {
  /** False: the page counts as skipped and none of its text is stored. */
  readonly index: boolean;
  /** False: none of its links is followed. */
  readonly follow: boolean;
  /** The directives that decided, as written, for the record. */
  readonly reason: readonly string[];
}

/** Directives with a value: their colon does not follow the name of an agent. */
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/**
 * `headers` are the values of X-Robots-Tag, one per header line. `unavailable_after` would need a clock and is ignored: a
 * page that is gone will respond accordingly.
 */
export function pageDirectives(
  headers: readonly string[],
  metas: readonly RobotsMeta[],
  agent: string = PRODUCT_TOKEN,
): PageDirectives {
  const own = agent.toLowerCase();
  const words = [
    ...headers.flatMap((value) => headerWords(value, own)),
    ...metas
      .filter(({ name }) => ['robots', own].includes(name.trim().toLowerCase()))
      .flatMap(({ content }) => wordsOf(content)),
  ];
  return {
    index: !words.some((word) => word === 'noindex' || word === 'none'),
    follow: !words.some((word) => word === 'nofollow' || word === 'none'),
    reason: [...new Set(words.filter((word) => ['noindex', 'nofollow', 'none'].includes(word)))],
  };
}

/** `otherbot: noindex, nofollow` applies to that agent until the next name; directives before any name apply to all. */
function headerWords(value: string, own: string): string[] {
  const words: string[] = [];
  let forUs = true;
  for (const part of value.split(',')) {
    const colon = part.indexOf(':');
    const name = colon === -1 ? '' : part.slice(0, colon).trim().toLowerCase();
    const addressed = colon !== -1 && !VALUED.has(name);
    if (addressed) forUs = name === own || name === 'robots' || name === '*';
    if (forUs) words.push(...wordsOf(addressed ? part.slice(colon + 1) : part));
  }
  return words;
}

/** Some pages use spaces or semicolons as separators. */
function wordsOf(content: string): string[] {
  return content
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
}
