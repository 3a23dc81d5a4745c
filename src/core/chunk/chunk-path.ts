// The path in a chunk's id: a page's URL, or the path of a file inside its folder.

import type { PageUrl } from '../model/page-url.ts';

const FOLDER = 'file:///';

/** Files of a folder have the URL `file:///` and their path inside it, so an id does not depend on where the folder is. */
export function chunkPath(url: PageUrl): string {
  if (!url.startsWith(FOLDER)) return url;
  const path = url.slice(FOLDER.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a lone percent sign in a file name
  }
}
