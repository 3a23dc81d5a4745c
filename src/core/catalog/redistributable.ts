// Which licenses allow the text of a package to be distributed as part of a catalogue. The rest is built on the user's machine.

/** Identifiers of SPDX. Each allows copies of the texts, with their notice. */
const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

const MAX_CHARS = 200;

/** An expression of SPDX without exceptions and inner parentheses; what it cannot parse is not redistributable. */
export function isRedistributable(license: string | null): boolean {
  if (license === null || license.length > MAX_CHARS) return false;
  const text = license.startsWith('(') && license.endsWith(')') ? license.slice(1, -1) : license;
  return text.split(' OR ').some((alternative) => alternative.split(' AND ').every(isPermissive));
}

function isPermissive(id: string): boolean {
  return PERMISSIVE.has(id.trim());
}
