// Removes characters that a reader cannot see but that reorder, hide or smuggle text, so that they never reach an index,
// a terminal or an agent. There are two policies: `cleanText` for text formats, and `cleanHtmlProse` and `cleanHtmlCode`
// for HTML, where code keeps its zero-width characters.
//
// `cleanText` removes, in prose and in code alike:
//   bidi controls        U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069
//   tag characters       U+E0000–E007F, and the variation selectors U+E0100–E01EF that carry bytes the same way
//   zero width           U+00AD, U+180E, U+200B, U+2060–2064, U+206A–206F, U+FEFF
//   joiners              U+200C and U+200D after an ASCII character only: Persian, Indic scripts and emoji need them
//   variation selectors  U+FE00–FE0F, the second and later ones in a row
//   controls             C0 except tab and line feed, DEL, C1, U+FFF9–FFFB, and whole ANSI escape sequences
// and replaces:
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
// Depends on the preceding character once the rest has been removed.
const CONTEXT_DEPENDENT = new RegExp(`${JOINERS}|${REPEATED_SELECTORS}`, 'g');

/** Linear and idempotent; returns the same string if nothing has to change. */
export function cleanText(text: string): string {
  return text
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

// C0 and C1 controls except tab and line feed, soft hyphen, zero-width and bidirectional controls, invisible operators,
// byte order mark, annotation anchors, and the surrogate that starts the tag characters.
const MAYBE_INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\udb40]/;

/** Terminal escape sequences, CSI and OSC, with bounded length so that the search stays linear. */
// oxlint-disable-next-line no-control-regex
const TERMINAL_ESCAPES = /\u001b(?:\[[0-9;?]{0,32}[@-~]|\][^\u0007\u001b]{0,256}(?:\u0007|\u001b\\))/g;

/** Whether a page may need cleaning; most do not. */
export function hasInvisible(text: string): boolean {
  return MAYBE_INVISIBLE.test(text);
}

/** Removes every invisible character from the text of an HTML page. */
export function cleanHtmlProse(text: string): string {
  return MAYBE_INVISIBLE.test(text) ? rewrite(text, proseVerdict) : text;
}

/**
 * Keeps zero-width characters, because a listing is kept byte for byte, but removes bidirectional controls and tag
 * characters: both can make code read as something else.
 */
export function cleanHtmlCode(text: string): string {
  return MAYBE_INVISIBLE.test(text) ? rewrite(text, codeVerdict) : text;
}

type CharacterVerdict = 'keep' | 'drop' | 'line';

function rewrite(text: string, verdict: (code: number, text: string, at: number) => CharacterVerdict): string {
  const source = text.replace(TERMINAL_ESCAPES, '');
  let out = '';
  let from = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) continue;
    const isTag = code === 0xdb40 && source.charCodeAt(at + 1) >= 0xdc00;
    const action = isTag ? 'drop' : verdict(code, source, at);
    if (action === 'keep') continue;
    out += source.slice(from, at) + (action === 'line' ? '\n' : '');
    if (isTag) at += 1;
    from = at + 1;
  }
  return out + source.slice(from);
}

function codeVerdict(code: number, text: string, at: number): CharacterVerdict {
  if (code === 0x0d) return text.charCodeAt(at + 1) === 0x0a ? 'drop' : 'line';
  if (code === 0x2028 || code === 0x2029) return 'line';
  if (code === 0x0c) return 'keep';
  if (isControl(code) || isBidi(code)) return 'drop';
  return 'keep';
}

function proseVerdict(code: number, text: string, at: number): CharacterVerdict {
  if (code === 0x0d || code === 0x0c || code === 0x2028 || code === 0x2029) return 'line';
  if (isControl(code) || isBidi(code)) return 'drop';
  if (code === 0x200c || code === 0x200d) return isJoining(text, at) ? 'keep' : 'drop';
  return isInvisible(code) ? 'drop' : 'keep';
}

function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f);
}

function isBidi(code: number): boolean {
  return (
    code === 0x061c ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x206f)
  );
}

const INVISIBLE_CODES = new Set([0xad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x3164, 0xfeff]);

function isInvisible(code: number): boolean {
  return INVISIBLE_CODES.has(code) || (code >= 0x2060 && code <= 0x2065) || (code >= 0xfff9 && code <= 0xfffb);
}

/** Joiners shape Persian and Indic words and emoji sequences, where both neighbours are outside ASCII. */
function isJoining(text: string, at: number): boolean {
  return at > 0 && text.charCodeAt(at - 1) > 0x7f && text.charCodeAt(at + 1) > 0x7f;
}
