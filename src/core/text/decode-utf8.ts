// Decodes UTF-8 bytes to text.

const decoder = new TextDecoder('utf-8');

/** Never fails: invalid sequences become U+FFFD, and a leading byte order mark is dropped. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
