// Format detection by media type, file name and first bytes.

import { decodePercent } from '../../text/decode-percent.ts';
import { cleanLine } from './clean-text.ts';

/** `Text/HTML; charset=x` → `text/html`; null if there is none. */
export function bareMediaType(contentType: string | null): string | null {
  const bare = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return bare === '' ? null : bare;
}

/** The file name: the last path segment, decoded, without the query. */
export function fileNameOf(url: string): string {
  return decodePercent(new URL(url).pathname.split('/').at(-1) ?? '');
}

/** Lower case, without the dot; empty if the name has none. */
export function extensionOf(url: string): string {
  return /\.([A-Za-z0-9]{1,12})$/.exec(fileNameOf(url))?.[1]?.toLowerCase() ?? '';
}

/** The fallback title of a page that has none. */
export function titleFromUrl(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast((segment) => segment !== '') ?? '';
  const name = cleanLine(fileNameOf(`https://x/${last}`));
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
  ['\xD0\xCF\x11\xE0', 'application/x-cfb'],
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

/** The media type by magic bytes, whatever the server says; null for anything that may be text. */
export function sniffBinaryType(body: Uint8Array): string | null {
  const start = String.fromCharCode(...body.subarray(0, 16));
  const mediaType = MAGIC.find(([magic]) => start.startsWith(magic))?.[1];
  if (mediaType !== undefined) return mediaType;
  return start.startsWith('ftyp', 4) ? 'video/mp4' : null;
}

/** Whether bytes that are not text may be a document: a PDF, an Office file, with or without a password, or a book. */
export function mayBeDocument(body: Uint8Array): boolean {
  const type = sniffBinaryType(body);
  return type === 'application/zip' || type === 'application/x-cfb' || type === 'application/pdf';
}

/** Whether a text starts like an HTML page. */
export function looksLikeHtml(head: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,1500}?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|frameset)[\s>]/i.test(
    head.slice(0, 2000),
  );
}

/** Bytes that are examined: text does not turn into something else after this much. */
const SAMPLE_BYTES = 4096;
/** Control characters per hundred bytes: text has a stray one at most, noise has about ten. */
const MAX_CONTROL_PERCENT = 4;

/** Whether bytes are not text, whatever their type says. See `mayBeDocument` for the formats that are not. */
export function looksBinary(body: Uint8Array): boolean {
  const head = body.subarray(0, SAMPLE_BYTES);
  if (head.length === 0 || hasUtf16Bom(head)) return false;
  let controls = 0;
  for (const byte of head) if (isControl(byte)) controls += 1;
  return controls * 100 > head.length * MAX_CONTROL_PERCENT;
}

function hasUtf16Bom(head: Uint8Array): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
}

/** Text may contain tabs, line ends, form feeds and escapes; escapes occur in legacy Japanese encodings. */
function isControl(byte: number): boolean {
  if (byte === 0x7f) return true;
  return byte < 0x20 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d);
}
