// Characters that a reader does not see but a model or a terminal obeys.
//
// Prose loses all of them. Code blocks keep zero-width characters, because a listing is kept byte for byte, but lose
// bidirectional controls and tag characters: both can make code read as something that it is not.

// C0 and C1 controls but tab and line feed, soft hyphen, zero-width and bidirectional controls, invisible operators,
// byte order mark, annotation anchors, and the surrogate that begins the tag characters.
const SUSPECT =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\udb40]/;

/** Escape sequences of terminals: CSI and OSC, bounded so that no input makes the search long. */
// oxlint-disable-next-line no-control-regex
const ANSI = /\u001b(?:\[[0-9;?]{0,32}[@-~]|\][^\u0007\u001b]{0,256}(?:\u0007|\u001b\\))/g;

/** Whether a page needs cleaning at all; most do not. */
export function isSuspect(text: string): boolean {
  return SUSPECT.test(text);
}

export function cleanProse(text: string): string {
  return SUSPECT.test(text) ? rewrite(text, proseVerdict) : text;
}

export function cleanCode(text: string): string {
  return SUSPECT.test(text) ? rewrite(text, codeVerdict) : text;
}

type CharacterVerdict = 'keep' | 'drop' | 'line';

function rewrite(text: string, verdict: (code: number, text: string, at: number) => CharacterVerdict): string {
  const source = text.replace(ANSI, '');
  let out = '';
  let from = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) continue;
    const isTag = code === 0xdb40 && source.charCodeAt(at + 1) >= 0xdc00;
    const decided = isTag ? 'drop' : verdict(code, source, at);
    if (decided === 'keep') continue;
    out += source.slice(from, at) + (decided === 'line' ? '\n' : '');
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

const INVISIBLE = new Set([0xad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x3164, 0xfeff]);

function isInvisible(code: number): boolean {
  return INVISIBLE.has(code) || (code >= 0x2060 && code <= 0x2065) || (code >= 0xfff9 && code <= 0xfffb);
}

/** Joiners shape Persian and Indic words and family emoji: there both neighbours are outside ASCII. */
function isJoining(text: string, at: number): boolean {
  return at > 0 && text.charCodeAt(at - 1) > 0x7f && text.charCodeAt(at + 1) > 0x7f;
}
