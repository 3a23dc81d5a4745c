// What kind of file a page was made from, by its media type.

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
