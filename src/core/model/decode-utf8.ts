// Text as the product keeps it.

const decoder = new TextDecoder('utf-8');

/** Invalid sequences become U+FFFD and a leading byte order mark is dropped: decoding never fails. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
