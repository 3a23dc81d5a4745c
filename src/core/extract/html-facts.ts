// Facts about a page's markup, gathered in one pass over the raw HTML without building a tree: a tenth of the cost of
// parsing, and enough to tell an empty shell, a login or a redirect from a document.

import { cleanLine } from './clean-text.ts';
import type { HtmlFacts } from './extractor.ts';
import { htmlMarks, mountIds } from './html-marks.table.ts';
import { attributeOf, scanTags, type TagVisit } from './html-tag-scan.ts';

export interface MarkupFacts {
  readonly html: HtmlFacts;
  readonly robotsMeta: readonly string[];
}

/** Marks are looked for on pages that say little: a long document is no challenge, whatever it carries. */
const MARKS_BELOW_TEXT = 4000;
const MARKS_WITHIN = 200_000;
const NOSCRIPT_KEPT = 400;
const REDIRECT_SCRIPT_AT_MOST = 600;

export function markupFacts(html: string): MarkupFacts {
  const found = {
    textLength: 0,
    noscriptText: '',
    scripts: 0,
    emptyMounts: [] as string[],
    passwordFields: 0,
    frames: 0,
    refresh: null as HtmlFacts['refresh'],
    scriptRedirect: null as string | null,
  };
  const robotsMeta: string[] = [];

  const visit: TagVisit = {
    text(count) {
      found.textLength += count;
    },
    raw(name, text) {
      if (name === 'script') {
        found.scripts += 1;
        found.scriptRedirect ??= redirectIn(text);
      } else if (name === 'noscript' && found.noscriptText.length < NOSCRIPT_KEPT) {
        const words = text.slice(0, 4000).replace(/<[^>]*>/g, ' ');
        found.noscriptText = cleanLine(`${found.noscriptText} ${words}`).slice(0, NOSCRIPT_KEPT);
      }
    },
    tag(name, tag, isEmpty) {
      if (name === 'meta') {
        const what = (attributeOf(tag, 'name') ?? '').toLowerCase();
        if (what === 'robots' || what === 'pinakes') robotsMeta.push(attributeOf(tag, 'content') ?? '');
        if (attributeOf(tag, 'http-equiv')?.toLowerCase() === 'refresh') {
          found.refresh ??= refreshOf(attributeOf(tag, 'content') ?? '');
        }
      } else if (name === 'input') {
        if (attributeOf(tag, 'type')?.toLowerCase() === 'password') found.passwordFields += 1;
      } else if (name === 'frame') {
        found.frames += 1;
      } else if (isEmpty) {
        const id = attributeOf(tag, 'id');
        if (id !== null && mountIds.has(id)) found.emptyMounts.push(id);
      }
    },
  };
  scanTags(html, visit);
  return { html: { ...found, marks: marksIn(html, found.textLength) }, robotsMeta };
}

function marksIn(html: string, textLength: number): readonly string[] {
  if (textLength > MARKS_BELOW_TEXT) return [];
  const markup = html.slice(0, MARKS_WITHIN);
  return htmlMarks.filter(({ needle }) => markup.includes(needle)).map(({ name }) => name);
}

/** `0; url=/new` in the forms that browsers read. */
function refreshOf(content: string): HtmlFacts['refresh'] {
  const [, seconds, target] =
    /^\s*(\d{0,6})[\d.]*\s*(?:[;,]\s*(?:url\s*=\s*)?(.*))?$/is.exec(content.slice(0, 3000)) ?? [];
  if (seconds === undefined) return null;
  return { afterSeconds: Number(seconds), to: (target ?? '').trim().replace(/^["']|["']$/g, '') };
}

/** Only a script that is short and starts with the redirect: an application may set `location` for many reasons. */
function redirectIn(script: string): string | null {
  if (script.length > REDIRECT_SCRIPT_AT_MOST) return null;
  const start = script.replace(/^[\s;]*(?:\/\/[^\n]*\n\s*|<!--[^\n]*\n\s*)*/, '');
  const call =
    /^(?:window\.|document\.|top\.|self\.)?location(?:\.href)?(?:\s*=\s*|\.(?:replace|assign)\(\s*)(["'])([^"']+)\1/;
  return call.exec(start)?.[2] ?? null;
}
