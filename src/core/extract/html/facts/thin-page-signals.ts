// Signs in raw markup that a short page is no document: an empty mount point, frames, a script that redirects, the
// marks of guards. One pass without a tree, and only over pages that say little.

import type { HtmlSigns } from '../../extractor.ts';
import { htmlMarks, mountIds } from './interstitial-markers.table.ts';
import { attributeOf, scanTags } from '../../html-tag-scan.ts';

export const NO_SIGNS: HtmlSigns = { emptyMounts: [], frames: 0, scriptRedirect: null, marks: [] };

const LOOK_WITHIN = 200_000;
const REDIRECT_SCRIPT_AT_MOST = 600;

export function htmlSigns(html: string): HtmlSigns {
  const markup = html.slice(0, LOOK_WITHIN);
  const emptyMounts: string[] = [];
  let frames = 0;
  let scriptRedirect: string | null = null;
  scanTags(markup, {
    raw(name, text) {
      if (name === 'script') scriptRedirect ??= redirectIn(text);
    },
    tag(name, tag, isEmpty) {
      if (name === 'frame') frames += 1;
      const id = isEmpty ? attributeOf(tag, 'id') : null;
      if (id !== null && mountIds.has(id)) emptyMounts.push(id);
    },
  });
  const marks = htmlMarks.filter(({ needle }) => markup.includes(needle)).map(({ name }) => name);
  return { emptyMounts, frames, scriptRedirect, marks };
}

/** Only a script that is short and starts with the redirect: an application may set `location` for many reasons. */
function redirectIn(script: string): string | null {
  if (script.length > REDIRECT_SCRIPT_AT_MOST) return null;
  const start = script.replace(/^[\s;]*(?:\/\/[^\n]*\n\s*|<!--[^\n]*\n\s*)*/, '');
  const call =
    /^(?:window\.|document\.|top\.|self\.)?location(?:\.href)?(?:\s*=\s*|\.(?:replace|assign)\(\s*)(["'])([^"']+)\1/;
  return call.exec(start)?.[2] ?? null;
}
