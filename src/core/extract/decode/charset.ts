// Detects the encoding of a body as a browser does, and decodes it.

import type { RawPage } from '../extractor.ts';

export interface CharsetChoice {
  /** A name that TextDecoder knows, lower case. */
  readonly encoding: string;
  readonly reason: 'bom' | 'header' | 'meta' | 'xml' | 'nul-bytes' | 'valid-utf-8' | 'fallback';
}

const PRESCAN_BYTES = 1024;

/**
 * Byte order mark, then the header, then what the first kilobyte declares. A label that no decoder supports (such as
 * utf-7) is ignored. Undeclared bytes are UTF-8 if they are valid UTF-8, otherwise windows-1252.
 */
export function detectCharset(body: Uint8Array, headerLabel: string | null): CharsetChoice {
  const bom = byteOrderMark(body);
  if (bom !== null) return { encoding: bom, reason: 'bom' };
  const header = encodingOf(headerLabel);
  if (header !== null) return { encoding: header, reason: 'header' };

  const head = bytewise(body.subarray(0, PRESCAN_BYTES));
  const utf16 = utf16WithoutBom(head);
  if (utf16 !== null) return { encoding: utf16, reason: 'nul-bytes' };
  const xml = declaredEncoding(/^\s*<\?xml[^>]*?\sencoding\s*=\s*["']?([A-Za-z0-9._:-]+)/.exec(head)?.[1]);
  if (xml !== null) return { encoding: xml, reason: 'xml' };
  const meta = declaredEncoding(metaCharset(head));
  if (meta !== null) return { encoding: meta, reason: 'meta' };
  return isUtf8(body) ? { encoding: 'utf-8', reason: 'valid-utf-8' } : { encoding: 'windows-1252', reason: 'fallback' };
}

/** Never fails: bytes that are invalid in the encoding become U+FFFD. The byte order mark is dropped. */
export function decodeBody(body: Uint8Array, headerLabel: string | null): string {
  return new TextDecoder(detectCharset(body, headerLabel).encoding).decode(body);
}

/** The body of a page as text, in the charset that its header, the caller or the page itself declares. */
export function decodePage(page: RawPage): string {
  return decodeBody(page.body, charsetOfContentType(page.mediaType) ?? page.charsetHint ?? null);
}

/** The charset parameter of a Content-Type value, or null. */
export function charsetOfContentType(contentType: string | null): string | null {
  if (contentType === null) return null;
  return /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType.slice(0, 1000))?.[1] ?? null;
}

function byteOrderMark(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return null;
}

function encodingOf(label: string | null | undefined): string | null {
  if (label === null || label === undefined) return null;
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null; // an unknown label is ignored
  }
}

/** A declaration that was readable as ASCII cannot be in UTF-16, whatever it says. */
function declaredEncoding(label: string | null | undefined): string | null {
  const encoding = encodingOf(label);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}

/** ASCII markup in UTF-16 has a NUL in every second byte; no other text encoding does. */
function utf16WithoutBom(head: string): string | null {
  if (head.length < 4) return null;
  const nuls = [0, 0];
  for (let at = 0; at < head.length; at += 1) if (head.charCodeAt(at) === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const threshold = head.length * 0.3;
  const [even = 0, odd = 0] = nuls;
  if (odd > threshold && even === 0) return 'utf-16le';
  return even > threshold && odd === 0 ? 'utf-16be' : null;
}

/** The meta prescan: comments are skipped, and the first usable `charset` or `content="…charset=…"` counts. */
function metaCharset(head: string): string | null {
  const text = head.replace(/<!--[^]*?(?:-->|$)/g, '');
  for (const [tag] of text.matchAll(/<meta[\s/][^>]*>?/gi)) {
    const direct = /[\s/]charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag)?.[1];
    const inContent = /\bcontent\s*=\s*(?:"[^"]*?|'[^']*?)charset\s*=\s*([^\s"';]+)/i.exec(tag)?.[1];
    const label = direct ?? (/http-equiv\s*=\s*["']?content-type/i.test(tag) ? inContent : undefined);
    if (encodingOf(label) !== null) return label ?? null;
  }
  return null;
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

const windows1252 = new TextDecoder('windows-1252');

/** One character per byte. Those beyond ASCII may be others than in Latin-1, which makes no difference to what is looked for. */
function bytewise(bytes: Uint8Array): string {
  return windows1252.decode(bytes);
}
