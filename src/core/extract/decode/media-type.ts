// Names and first bytes that tell formats apart.

/** `Text/HTML; charset=x` → `text/html`; null where nothing is said. */
export function bareMediaType(contentType: string | null): string | null {
  const bare = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return bare === '' ? null : bare;
}

/** The last path segment, decoded, without query: what a file would be called. */
export function fileNameOf(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Lower case, without the dot; empty where the name has none. */
export function extensionOf(url: string): string {
  return /\.([A-Za-z0-9]{1,12})$/.exec(fileNameOf(url))?.[1]?.toLowerCase() ?? '';
}

/** The name a page has when nothing in it says one. */
export function titleFromUrl(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast((segment) => segment !== '') ?? '';
  const name = fileNameOf(`https://x/${last}`).trim();
  return name === '' ? hostname : name;
}

// The first bytes, as one character per byte, of formats that are not text.
const MAGIC: ReadonlyArray<readonly [start: string, mediaType: string]> = [
  ['%PDF-', 'application/pdf'],
  ['GIF8', 'image/gif'],
  ['\x89PNG', 'image/png'],
  ['\xFF\xD8\xFF', 'image/jpeg'],
  ['RIFF', 'image/webp'],
  ['BM\x00', 'image/bmp'],
  ['\x00\x00\x01\x00', 'image/x-icon'],
  ['PK\x03\x04', 'application/zip'],
  ['PK\x05\x06', 'application/zip'],
  ['\x1F\x8B', 'application/gzip'],
  ['7z\xBC\xAF', 'application/x-7z-compressed'],
  ['\x7FELF', 'application/x-elf'],
  ['MZ\x90', 'application/x-msdownload'],
  ['\x00asm', 'application/wasm'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
  ['OggS', 'audio/ogg'],
  ['ID3', 'audio/mpeg'],
];

/** The media type that the first bytes prove, whatever the server says; null for anything that may be text. */
export function provenBinary(body: Uint8Array): string | null {
  const start = String.fromCharCode(...body.subarray(0, 16));
  const known = MAGIC.find(([magic]) => start.startsWith(magic))?.[1];
  if (known !== undefined) return known;
  return start.startsWith('ftyp', 4) ? 'video/mp4' : null;
}

/** Whether a text begins like an HTML page. */
export function looksLikeHtml(head: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,1500}?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|frameset)[\s>]/i.test(
    head.slice(0, 2000),
  );
}
