// Derives a short name for a source that was added without one, from its start URL or its path.

import type { PageUrl } from './page-url.ts';

const MAX_NAME_CHARS = 60;

export function sourceNameFromUrl(start: PageUrl): string {
  const { hostname, pathname, port } = new URL(start);
  const host = hostname.replace(/^www\./, '') + (port === '' ? '' : `-${port}`);
  const path = pathname.replace(/\/[^/]*\.[a-z0-9]+$/i, '').replaceAll('/', '-');
  return `${host}${path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MAX_NAME_CHARS);
}

export function sourceNameFromPath(fileName: string): string {
  const name = fileName
    .replace(/\.(?:zip|tar|tar\.gz|tgz)$/i, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_NAME_CHARS);
  return name === '' ? 'folder' : name;
}

/** The last part of a path, of either kind of machine: what others may see of where a folder is. */
export function folderName(path: string): string {
  return (
    path
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .at(-1) ?? path
  );
}

/** Whether the start of a source is a file path instead of a URL. A scheme of one letter is a drive. */
export function isFilePath(start: string): boolean {
  return !/^[a-z][a-z\d+.-]+:/i.test(start);
}
