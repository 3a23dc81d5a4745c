// Between the name of a file on disk, the path that is shown and stored, and the URL of its page.
//
// A file name may hold anything but a slash: line feeds, escape sequences, marks that turn the reading direction. Such
// characters, and backslashes, are shown as `%0A` and the like, and a percent sign that could be mistaken for one of
// these as `%25`. So a path is always one safe line, and leads back to exactly one file.

import { chunkPath } from '../chunk/chunk-path.ts';
import { pageUrl, type PageUrl } from '../model/page-url.ts';

const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\\\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|%(?=[\da-f]{2})/giu;

export function shownPath(onDisk: string): string {
  return onDisk.replaceAll(UNSAFE, (char) => encodeURIComponent(char));
}

/** Null for a path that `shownPath` does not give. */
export function diskPath(shown: string): string | null {
  let path: string;
  try {
    path = shown.replaceAll(/(?:%[\dA-F]{2})+/g, (escape) => decodeURIComponent(escape));
  } catch {
    return null;
  }
  return path.isWellFormed() && shownPath(path) === shown ? path : null;
}

export function fileUrl(shown: string): PageUrl {
  return pageUrl(`file:///${shown.split('/').map(encodeURIComponent).join('/')}`);
}

/** The path that is shown; null for a URL that is not the page of a local file. Decoded once, never again. */
export function pathOfFileUrl(url: string): string | null {
  if (!url.startsWith('file:///') || url.includes('?') || url.includes('#')) return null;
  const path = chunkPath(url as PageUrl);
  return fileUrlOrNull(path) === url ? path : null;
}

function fileUrlOrNull(path: string): PageUrl | null {
  try {
    return fileUrl(path);
  } catch {
    return null; // half of a surrogate pair has no encoding
  }
}

export function isFileUrl(url: string): boolean {
  return url.startsWith('file:');
}
