// A SHA-256 in base64url: 43 characters in place of 64.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function hashText(hex: string): string {
  let text = '';
  // Three hexadecimal digits are two characters; the last one stands for a single digit and two zero bits.
  for (let at = 0; at < 63; at += 3) {
    const bits = Number.parseInt(hex.slice(at, at + 3), 16);
    text += ALPHABET.charAt(bits >>> 6) + ALPHABET.charAt(bits & 63);
  }
  return text + ALPHABET.charAt(Number.parseInt(hex.slice(63), 16) << 2);
}

/** Null for what `hashText` does not give. */
export function hashOfText(text: string): string | null {
  if (!/^[\w-]{43}$/.test(text)) return null;
  let hex = '';
  for (let at = 0; at < 42; at += 2) {
    const bits = (ALPHABET.indexOf(text.charAt(at)) << 6) | ALPHABET.indexOf(text.charAt(at + 1));
    hex += bits.toString(16).padStart(3, '0');
  }
  const last = ALPHABET.indexOf(text.charAt(42));
  return (last & 3) === 0 ? hex + (last >>> 2).toString(16) : null;
}
