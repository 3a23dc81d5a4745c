// The text that a model reads for a chunk: what a person reads. Addresses of links and rules of tables cost tokens, and say
// nothing of what the passage is about.

/** Grows whenever the same chunk gives another text; part of the space's fingerprint. */
export const TEXT_FORM = 1;

/** In code, brackets follow a name. Each class leaves out what begins the pattern, so every character is looked at a bounded number of times. */
const LINK = /(?<![\w)\]])!?\[([^[\]\n]{0,500})\]\([^()\n]{0,2000}\)/g;
const RULE = /[-=_*#~+|:]{4,}/g;
const SPACES = /[ \t\u00a0]+/g;

/**
 * The headings say what a passage is about where its own words do not: "Options", "Returns". A heading that is repeated
 * on the way down is said once.
 */
export function passageText(headings: readonly string[], text: string): string {
  const path = [...new Set(headings)].join(' > ');
  const body = text.replace(LINK, '$1').replace(RULE, ' ').replace(SPACES, ' ').trim();
  return path === '' ? body : `${path}\n${body}`;
}
