// Tells bytes that are no text, whatever their type says. Every format that is read here is a text.

/** What is looked at; a text does not turn into something else after this much. */
const LOOKED_AT = 4096;
/** Control characters in a hundred bytes: a stray one occurs, noise has one in ten. */
const MOST_PERCENT = 4;

export function looksBinary(body: Uint8Array): boolean {
  const head = body.subarray(0, LOOKED_AT);
  if (head.length === 0 || hasUtf16Mark(head)) return false;
  let controls = 0;
  for (const byte of head) if (isControl(byte)) controls += 1;
  return controls * 100 > head.length * MOST_PERCENT;
}

function hasUtf16Mark(head: Uint8Array): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
}

/** Tabs, line ends, form feeds and escapes occur in texts; escapes in the old encodings of Japanese. */
function isControl(byte: number): boolean {
  if (byte === 0x7f) return true;
  return byte < 0x20 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d);
}
