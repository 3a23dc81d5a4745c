// The kind of a file, from its name, or of a page, from its media type. A passage has its own kind: a Markdown file has prose and code.

import type { FileKind } from '../model/file-kind.ts';

/** Extensions of files that are not plain text, or whose media type says less than their name. */
const BY_EXTENSION: ReadonlyArray<readonly [FileKind, RegExp]> = [
  ['markdown', /^(?:md|mdx|markdown|mdown|mkd)$/],
  ['json', /^(?:json|jsonc|json5|jsonl|ndjson|geojson|ipynb|webmanifest)$/],
  ['java_script', /^(?:js|mjs|cjs|jsx|ts|mts|cts|tsx)$/],
  ['html', /^(?:html?|xhtml|shtml)$/],
  ['unknown', /^(?:pdf|doc[xm]?|ppt[xm]?|ppsx|xlsx?|o[dt]t|ods|odp|epub)$/],
];

const BY_MEDIA_TYPE: ReadonlyArray<readonly [FileKind, RegExp]> = [
  ['image', /^image\//],
  ['html', /^(?:text\/html|application\/xhtml\+xml)\b/],
  ['markdown', /^text\/(?:x-)?markdown\b/],
  ['json', /^(?:application|text)\/(?:[\w.-]+\+)?json\b/],
  ['java_script', /^(?:application|text)\/(?:x-)?(?:javascript|typescript)\b/],
  ['text', /^text\/|^application\/(?:[\w.-]+\+)?(?:yaml|x-yaml|xml)\b/],
];

/** `path` is the URL of a page, or the path of a file inside its folder. */
export function fileKind(path: string, mediaType: string): FileKind {
  const type = mediaType.toLowerCase();
  const byType = BY_MEDIA_TYPE.find(([, pattern]) => pattern.test(type))?.[0];
  if (byType === 'image') return byType;
  const isPage = /^https?:\/\//.test(path);
  if (isPage) return byType ?? 'unknown';
  const extension = /\.([a-z0-9]{1,11})$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  // The media type of a local file is that of its extracted text.
  return (
    BY_EXTENSION.find(([, pattern]) => pattern.test(extension))?.[0] ?? (byType === undefined ? 'unknown' : 'text')
  );
}
