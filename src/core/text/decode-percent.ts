// Percent-decoding of what people and sites write.

/** The text as it is if it cannot be decoded: a lone percent sign, or half of an encoded character. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
