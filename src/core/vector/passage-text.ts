// The text that is embedded for a chunk. Link targets and table rules are stripped: they cost tokens and say nothing about
// the passage.

/** Incremented whenever the same chunk gives a different text; part of the space's fingerprint. */
export const TEXT_FORMAT_VERSION = 1;

/** Not in code, where brackets follow a name. The classes exclude the start of the pattern, so matching takes linear time. */
const LINK = /(?<![\w)\]])!?\[([^[\]\n]{0,500})\]\([^()\n]{0,2000}\)/g;
const RULE = /[-=_*#~+|:]{4,}/g;
const SPACES = /[ \t\u00a0]+/g;

/**
 * The heading path says what a passage is about where its own words do not: "Options", "Returns". A repeated heading is
 * included once.
 */
export function passageText(headings: readonly string[], text: string): string {
  const path = [...new Set(headings)].join(' > ');
  const body = text.replace(LINK, '$1').replace(RULE, ' ').replace(SPACES, ' ').trim();
  return path === '' ? body : `${path}\n${body}`;
}
