// Normalises percent-encoding: hexadecimal digits in upper case, and unreserved characters (letters, digits and `-._~`) never
// encoded. Servers treat both forms alike, so two URLs that differ only here are the same page.

const ESCAPE = /%[0-9a-fA-F]{2}/g;
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

export function normalizePercent(text: string): string {
  return text.includes('%') ? text.replace(ESCAPE, normalizeEscape) : text;
}

function normalizeEscape(escape: string): string {
  const char = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return UNRESERVED.test(char) ? char : escape.toUpperCase();
}
