// Text as the product keeps it.

const decoder = new TextDecoder('utf-8');

/** Invalid sequences become U+FFFD and a leading byte order mark is dropped: decoding never fails. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** How many lines a text has; a final line feed does not start another one. */
export function countLines(text: string): number {
  if (text === '') return 0;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
