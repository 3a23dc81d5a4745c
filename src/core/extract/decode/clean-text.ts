// Text hygiene for everything that comes from outside. What a reader cannot see must not reach an index, a terminal or
// an agent: characters that reorder, hide or smuggle text are removed, in prose and in code alike.
//
// Removed:
//   bidi controls        U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069
//   tag characters       U+E0000–E007F, and the variation selectors U+E0100–E01EF that carry bytes the same way
//   zero width           U+00AD, U+180E, U+200B, U+2060–2064, U+206A–206F, U+FEFF
//   joiners              U+200C and U+200D after an ASCII character only: Persian, Indic scripts and emoji need them
//   variation selectors  U+FE00–FE0F, the second and later ones in a row
//   controls             C0 but tab and line feed, DEL, C1, U+FFF9–FFFB, and whole ANSI escape sequences
// Changed:
//   CR, CRLF, U+2028 and U+2029 become a line feed; a lone surrogate becomes U+FFFD

const ANSI = String.raw`\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[@-Z\\^_])|\u009b[0-?]*[ -/]*[@-~]`;
const LINE_ENDS = String.raw`\r\n?|[\u2028\u2029]`;
const JOINERS = String.raw`(?<=[\0-\u007f])[\u200c\u200d]+`;
const REPEATED_SELECTORS = String.raw`(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+`;
const LONE_SURROGATE = String.raw`\p{Surrogate}`;
const INVISIBLE =
  '[' +
  String.raw`\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e` +
  String.raw`\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}` +
  ']+';

const UNCLEAN = new RegExp(`(${ANSI}|${INVISIBLE})|(${LINE_ENDS})|(${LONE_SURROGATE})`, 'gu');
// Judged by what stands before them once the rest is gone.
const BY_NEIGHBOUR = new RegExp(`${JOINERS}|${REPEATED_SELECTORS}`, 'g');

/** Linear, idempotent, and the same object back when nothing had to change. */
export function cleanText(text: string): string {
  return text
    .replace(UNCLEAN, (_match, hidden: string | undefined, lineEnd: string | undefined) => {
      if (hidden !== undefined) return '';
      return lineEnd === undefined ? '\uFFFD' : '\n';
    })
    .replace(BY_NEIGHBOUR, '');
}

/** For titles, descriptions and link texts: cleaned, on one line, single spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
