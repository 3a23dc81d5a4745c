// The version that a site declares for the product it documents, and how it is shown next to the label that a user gave.
//
// The text comes from the web, and agents read it in citations and instructions. So it must look like a version everywhere it
// enters: numbers, dots and one of a few suffixes.

const MAX_CHARS = 20;

/** `3`, `3.2.25`, `3.13.0rc1`, `1.15.0-rc.0`, `4.x`: a part of a pattern, without its start and end. */
export const VERSION_PATTERN = String.raw`\d{1,5}(?:\.\d{1,5}){0,4}(?:[-.]?(?:alpha|beta|preview|pre|rc|a|b|c|dev|post|final|ga|snapshot|lts|next|canary|nightly|sp|x)[-.]?\d{0,4})?`;

const VERSION = new RegExp(`^${VERSION_PATTERN}$`, 'i');

/** Without a leading `v`; null if the text is anything but a version. */
export function parseDeclaredVersion(text: string): string | null {
  const version = text.trim().replace(/^v(?=\d)/i, '');
  return version.length <= MAX_CHARS && VERSION.test(version) ? version : null;
}

/** `3.2`, `declares 3.2.25`, `3.2 (declares 3.2.25)`, or the empty string if neither is known. */
export function versionLabel(label: string, declared: string | null): string {
  const known = declared === null ? null : parseDeclaredVersion(declared);
  if (known === null || known === parseDeclaredVersion(label)) return label;
  return label === '' ? `declares ${known}` : `${label} (declares ${known})`;
}
