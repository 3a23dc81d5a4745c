// What a server would have called a local file.

import type { DocumentFormat } from '../model/document.ts';
import type { PageUrl } from '../model/page-url.ts';

const TYPES: Readonly<Record<DocumentFormat, string>> = {
  markdown: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  openapi: 'application/json',
  code: 'text/plain',
  text: 'text/plain',
  image: 'image/png',
};

const IMAGES: Readonly<Record<string, string>> = { jpg: 'jpeg', svg: 'svg+xml', ico: 'x-icon' };

export function fileMediaType(format: DocumentFormat, url: PageUrl): string {
  if (format !== 'image') return TYPES[format];
  const ending = /\.([a-z0-9]{1,5})$/i.exec(url)?.[1]?.toLowerCase() ?? 'png';
  return `image/${IMAGES[ending] ?? ending}`;
}

/** Under which an image of a bundle is kept. */
export function imageEndingOf(path: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? 'bin';
}
