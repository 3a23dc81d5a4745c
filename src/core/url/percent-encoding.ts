// One spelling for percent-encoded text: hexadecimal digits in upper case, and letters, digits and `-._~` never
// encoded. Servers treat both spellings alike, so two URLs that differ only here are one page.

const ESCAPE = /%[0-9a-fA-F]{2}/g;
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

export function normalisePercent(text: string): string {
  return text.includes('%') ? text.replace(ESCAPE, spellEscape) : text;
}

function spellEscape(escape: string): string {
  const char = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return UNRESERVED.test(char) ? char : escape.toUpperCase();
}
