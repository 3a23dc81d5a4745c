// Which kind of file a page was made from: by its media type, and for a local file by its name. A passage has its own kind: a Markdown
// file has prose and code.

import type { DocumentFormat } from '../model/document.ts';
import type { PageUrl } from '../model/page-url.ts';

/** A new kind goes to the end: its position is stored with segments. */
export const FILE_KINDS = ['markdown', 'json', 'java_script', 'html', 'text', 'image', 'unknown'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const BY_SUBTYPE: ReadonlyMap<string, FileKind> = new Map([
  ['markdown', 'markdown'],
  ['x-markdown', 'markdown'],
  ['mdx', 'markdown'],
  ['html', 'html'],
  ['xhtml+xml', 'html'],
  ['json', 'json'],
  ['json5', 'json'],
  ['jsonc', 'json'],
  ['x-ndjson', 'json'],
  ['jsonl', 'json'],
  ['javascript', 'java_script'],
  ['x-javascript', 'java_script'],
  ['ecmascript', 'java_script'],
  ['jsx', 'java_script'],
  ['typescript', 'java_script'],
  ['yaml', 'text'],
  ['x-yaml', 'text'],
  ['toml', 'text'],
  ['xml', 'text'],
  ['sql', 'text'],
  ['x-sh', 'text'],
]);

/** `mediaType` may have parameters, such as a charset. */
export function fileKindOf(mediaType: string): FileKind {
  const [essence = ''] = mediaType.toLowerCase().split(';');
  const [type, subtype = ''] = essence.trim().split('/');
  const known = BY_SUBTYPE.get(subtype);
  if (type === 'image') return 'image';
  if (known !== undefined) return known;
  if (subtype.endsWith('+json')) return 'json';
  return type === 'text' || /\+(?:yaml|xml)$/.test(subtype) ? 'text' : 'unknown';
}

const MEDIA_TYPES: Readonly<Record<DocumentFormat, string>> = {
  markdown: 'text/markdown',
  json: 'application/json',
  yaml: 'application/yaml',
  code: 'text/plain',
  text: 'text/plain',
  image: 'image/png',
};

/** Kinds of files whose extracted text may have another format. */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'text/markdown': 'md mdx markdown mdown mkd',
    'text/html': 'html htm shtml',
    'application/xhtml+xml': 'xhtml',
    'text/javascript': 'js mjs cjs jsx',
    'text/typescript': 'ts mts cts tsx',
    'application/json': 'json jsonc json5 geojson webmanifest',
    'application/jsonl': 'jsonl ndjson',
    'application/x-ipynb+json': 'ipynb',
    'application/yaml': 'yaml yml',
    'text/x-rst': 'rst rest',
    'text/asciidoc': 'adoc asciidoc asc',
    'text/troff': 'man mdoc roff',
    'application/pdf': 'pdf',
    'application/epub+zip': 'epub',
    'application/vnd.oasis.opendocument.text': 'odt ott',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx docm',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx ppsx pptm',
  }).flatMap(([mediaType, extensions]) => extensions.split(' ').map((extension) => [extension, mediaType] as const)),
);

const IMAGE_SUBTYPES: Readonly<Record<string, string>> = { jpg: 'jpeg', svg: 'svg+xml', ico: 'x-icon' };

/** The media type that a web server would send for a local file. */
export function fileMediaType(format: DocumentFormat, url: PageUrl): string {
  const extension = extensionOf(url);
  if (format !== 'image') return BY_EXTENSION.get(extension) ?? textType(format, extension);
  return `image/${IMAGE_SUBTYPES[extension] ?? (extension || 'png')}`;
}

/** A manual page, whose text is Markdown, has its section as its extension. */
function textType(format: Exclude<DocumentFormat, 'image'>, extension: string): string {
  return format === 'markdown' && /^[1-9][a-z]*$/.test(extension) ? 'text/troff' : MEDIA_TYPES[format];
}

/** `path` is the URL of a page, or the path of a file inside its folder. Searches know a page by its media type alone. */
export function fileKind(path: string, mediaType: string): FileKind {
  const byType = fileKindOf(mediaType);
  const isPage = /^https?:\/\//.test(path);
  if (byType === 'image' || isPage) return byType;
  const known = BY_EXTENSION.get(extensionOf(path));
  if (known !== undefined) return fileKindOf(known);
  return byType === 'unknown' ? 'unknown' : 'text';
}

function extensionOf(path: string): string {
  return /\.([a-z0-9]{1,11})$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
