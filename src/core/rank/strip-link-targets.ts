// Strips the targets of links and images from a passage: they cost tokens, and the page itself has them.

import { replaceLinks } from '../markdown/replace-links.ts';

/** `[text](target)` becomes `text`. Code blocks are unchanged. */
export function stripLinkTargets(markdown: string): string {
  return replaceLinks(markdown, ({ label }) => label);
}
