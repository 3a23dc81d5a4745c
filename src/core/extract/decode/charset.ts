// Which encoding a body is in, by the rules a browser follows, and the body as text. Everything after this is UTF-8.

export interface CharsetChoice {
  /** A name that TextDecoder knows, lower case. */
  readonly encoding: string;
  readonly because: 'bom' | 'header' | 'meta' | 'xml' | 'nul-bytes' | 'valid-utf-8' | 'fallback';
}

const PRESCAN_BYTES = 1024;

/**
 * Byte order mark, then the header, then what the first kilobyte declares. A label that no decoder has (utf-7 among
 * them) counts as not said. Undeclared bytes are UTF-8 if they are valid UTF-8, else windows-1252.
 */
export function detectCharset(body: Uint8Array, headerLabel: string | null): CharsetChoice {
  const bom = byteOrderMark(body);
  if (bom !== null) return { encoding: bom, because: 'bom' };
  const header = encodingOf(headerLabel);
  if (header !== null) return { encoding: header, because: 'header' };

  const head = latin1(body.subarray(0, PRESCAN_BYTES));
  const utf16 = utf16WithoutMark(head);
  if (utf16 !== null) return { encoding: utf16, because: 'nul-bytes' };
  const xml = declared(/^\s*<\?xml[^>]*?\sencoding\s*=\s*["']?([A-Za-z0-9._:-]+)/.exec(head)?.[1]);
  if (xml !== null) return { encoding: xml, because: 'xml' };
  const meta = declared(metaCharset(head));
  if (meta !== null) return { encoding: meta, because: 'meta' };
  return isUtf8(body)
    ? { encoding: 'utf-8', because: 'valid-utf-8' }
    : { encoding: 'windows-1252', because: 'fallback' };
}

/** Never fails: what the encoding cannot read becomes U+FFFD. The byte order mark is dropped. */
export function decodeBody(body: Uint8Array, headerLabel: string | null): string {
  return new TextDecoder(detectCharset(body, headerLabel).encoding).decode(body);
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
    return null; // a label nobody knows says nothing
  }
}

/** Bytes that could be read as ASCII to find the declaration cannot be UTF-16, whatever the declaration says. */
function declared(label: string | null | undefined): string | null {
  const encoding = encodingOf(label);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}

/** ASCII markup in UTF-16 has a NUL in every second byte; no other encoding of a text does. */
function utf16WithoutMark(head: string): string | null {
  if (head.length < 4) return null;
  const nuls = [0, 0];
  for (let at = 0; at < head.length; at += 1) if (head.charCodeAt(at) === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const enough = head.length * 0.3;
  const [even = 0, odd = 0] = nuls;
  if (odd > enough && even === 0) return 'utf-16le';
  return even > enough && odd === 0 ? 'utf-16be' : null;
}

/** The meta prescan: comments are skipped, the first usable `charset` or `content="…charset=…"` counts. */
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

/** One character per byte, unlike windows-1252, which is what TextDecoder calls latin1. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
