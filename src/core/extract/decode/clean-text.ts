// Removes characters that a reader cannot see but that reorder, hide or smuggle text, so that they never reach an index,
// a terminal or an agent. Every text that enters a library passes here, in prose and in code alike: documents, their
// metadata, and imported bundles.
//
// Removed:
//   bidi controls        U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069
//   tag characters       U+E0000–E0FFF, with the variation selectors that carry bytes the same way
//   zero width           U+00AD, U+034F, U+180E, U+200B, U+2060–2065, U+206A–206F, U+FEFF
//   fillers              U+115F, U+1160, U+17B4, U+17B5, U+3164, U+FFA0, U+FFF0–FFF8
//   format controls      U+13430–1343F of hieroglyphs, U+1BCA0–1BCA3 of shorthand, U+1D173–1D17A of music
//   joiners              U+200C and U+200D next to ASCII or to each other: Persian, Indic scripts and emoji need one between other characters
//   variation selectors  U+FE00–FE0F except one after a symbol or an ideograph; U+180B–180D and U+180F except one after a Mongolian letter
//   controls             C0 except tab and line feed, DEL, C1, U+FFF9–FFFB, and whole ANSI escape sequences
// Replaced:
//   CR, CRLF, U+2028 and U+2029 become a line feed; a lone surrogate becomes U+FFFD

/** The inside of a character class: what is removed wherever it occurs. */
export const INVISIBLE =
  String.raw`\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e` +
  String.raw`\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`;

/** Removed first: a control character in front of a sequence must not take its first character along. */
const ANSI =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[@-Z\\^_])|\u009b[0-?]*[ -/]*[@-~]/g;
const LINE_ENDS = String.raw`\r\n?|[\u2028\u2029]`;
const LONE_SURROGATE = String.raw`\p{Surrogate}`;
const UNCLEAN = new RegExp(`([${INVISIBLE}]+)|(${LINE_ENDS})|(${LONE_SURROGATE})`, 'gu');

const AFTER_ASCII = String.raw`(?<=[\0-\u007f])[\u200c\u200d]+`;
// From the start of a run only: a run of n joiners must not be tried n times.
const BEFORE_ASCII = String.raw`(?<![\u200c\u200d])[\u200c\u200d]+(?![^\0-\u007f])`;
/** What may have one: emoji, other symbols and ideographs, and the digit of a keycap. After every letter they would carry hidden bytes. */
const SELECTABLE = String.raw`[\p{Extended_Pictographic}\p{Sm}\p{So}\p{Script=Han}]|[0-9#*](?=\ufe0f\u20e3)`;
// In a row, each would carry a hidden bit.
const AFTER_JOINER = String.raw`(?<=[\u200c\u200d])[\u200c\u200d]+`;
const SELECTORS = String.raw`(?<!${SELECTABLE})[\ufe00-\ufe0f]+`;
const MONGOLIAN_SELECTORS = String.raw`(?<![\u1820-\u18aa])[\u180b-\u180d\u180f]+`;
/** Depends on the neighbours once the rest has been removed. */
const CONTEXT_DEPENDENT = new RegExp(
  `${AFTER_ASCII}|${BEFORE_ASCII}|${AFTER_JOINER}|${SELECTORS}|${MONGOLIAN_SELECTORS}`,
  'gu',
);

// Any code unit that the expressions above may change. One expression for all of them takes six times as long.
const MAYBE_INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud80d\ud82f\ud834\udb40-\udb43]/;
// oxlint-disable-next-line no-misleading-character-class
const SELECTOR = /[\ufe00-\ufe0f]/;

/** Whether a text may need cleaning; most do not. */
export function mayBeUnclean(text: string): boolean {
  return MAYBE_INVISIBLE.test(text) || SELECTOR.test(text) || !text.isWellFormed();
}

/** Linear and idempotent; returns the same string if nothing has to change. */
export function cleanText(text: string): string {
  if (!mayBeUnclean(text)) return text;
  return text
    .replace(ANSI, '')
    .replace(UNCLEAN, (_match, hidden: string | undefined, lineEnd: string | undefined) => {
      if (hidden !== undefined) return '';
      return lineEnd === undefined ? '\uFFFD' : '\n';
    })
    .replace(CONTEXT_DEPENDENT, '');
}

/** For titles, descriptions and link texts: cleaned, on one line, single spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
