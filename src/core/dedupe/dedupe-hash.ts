// A hash that duplicates of a page share. Sites publish copies of a page in several folders, such as the untranslated pages of
// each language; their relative links are identical but resolve to different URLs, so links are hashed relative to the page.

import { sha256Hex, type Sha256 } from '../model/hash.ts';
import type { PageUrl } from '../model/page-url.ts';

/** Without the title: a page without one is named after its URL. */
export function computeDedupeHash({ url, text }: { readonly url: PageUrl; readonly text: string }): Sha256 {
  return sha256Hex(withRelativeLinks(text, url));
}

/** Rewrites only link targets on the origin of the page: `](https://here/…`. */
export function withRelativeLinks(text: string, page: PageUrl): string {
  const { origin, pathname, search } = new URL(page);
  const own = withoutIndex(pathname) + search;
  const mark = `](${origin}/`;
  const folder = pathname.slice(0, pathname.lastIndexOf('/') + 1).split('/');
  let written = '';
  let from = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, from)) {
    const start = at + mark.length - 1;
    const end = endOfTarget(text, start);
    const [path, rest] = splitFragment(text.slice(start, end));
    const isOwn = withoutIndex(path) === own;
    written += `${text.slice(from, at)}](${isOwn ? '' : relativePath(withoutIndex(path), folder)}${rest}`;
    from = end;
  }
  return written + text.slice(from);
}

/** A target ends at a space or at its closing parenthesis; parentheses inside it are balanced. */
function endOfTarget(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '(') open += 1;
    else if (sign === ' ' || sign === '\n' || (sign === ')' && (open -= 1) < 0)) return at;
  }
  return text.length;
}

/** A folder and its index file are the same target. */
function withoutIndex(path: string): string {
  return path.endsWith('/index.html') ? path.slice(0, -'index.html'.length) : path;
}

/** The path with its query string, and the fragment including the `#`. */
function splitFragment(target: string): [string, string] {
  const sign = target.indexOf('#');
  return sign === -1 ? [target, ''] : [target.slice(0, sign), target.slice(sign)];
}

function relativePath(path: string, folder: readonly string[]): string {
  const parts = path.split('/');
  let common = 0;
  while (common < folder.length - 1 && common < parts.length - 1 && folder[common] === parts[common]) common += 1;
  return `${'../'.repeat(folder.length - 1 - common)}${parts.slice(common).join('/')}`;
}
