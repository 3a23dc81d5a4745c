// Escapes the characters of prose that Markdown would parse as markup, and no others: an identifier like snake_case stays
// unchanged, so that a search finds it.

const MAY_NEED_ESCAPE = /[\\`*_<\]&~]/;

/** `before` is the character in front of the text, '' at the start of a block. */
export function escapeInline(text: string, before: string): string {
  if (!MAY_NEED_ESCAPE.test(text)) return text;
  let out = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!isSpecial(code) || !needsEscape(text, at, at === 0 ? before : (text[at - 1] as string))) continue;
    out += `${text.slice(from, at)}\\`;
    from = at;
  }
  return out === '' ? text : out + text.slice(from);
}

function isSpecial(code: number): boolean {
  return (
    code === 0x5c ||
    code === 0x60 ||
    code === 0x2a ||
    code === 0x5f ||
    code === 0x3c ||
    code === 0x5d ||
    code === 0x26 ||
    code === 0x7e
  );
}

const ENTITY = /^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});/;

function needsEscape(text: string, at: number, previous: string): boolean {
  const next = text[at + 1] ?? '';
  const mark: string = text[at] ?? '';
  switch (mark) {
    case '`':
      return true;
    case '*':
      return !(isSpace(previous) && isSpace(next));
    case '_':
      return !isInsideWord(text, at, previous);
    case '<':
      return /[A-Za-z/!?]/.test(next);
    case ']':
      return next === '(';
    case '~':
      return next === '~';
    case '\\':
      return /[!-/:-@[-`{-~]/.test(next);
    case '&':
      return ENTITY.test(text.slice(at, at + 40));
    default:
      return false;
  }
}

const MAX_UNDERSCORES = 8;

/** `snake_case` and `a__b` are not emphasis; `_x` and `__init__` could be, and a lone ` _ ` is not. */
function isInsideWord(text: string, at: number, previous: string): boolean {
  const before = previous === '_' ? beyondRun(text, at, -1) : previous;
  const after = beyondRun(text, at, 1);
  if (isSpace(before) && isSpace(after)) return true;
  return isWordCharacter(before) && before !== '_' && isWordCharacter(after) && after !== '_';
}

/** The character beyond the run of underscores around `at`, in the direction of `step`. */
function beyondRun(text: string, at: number, step: 1 | -1): string {
  let to = at;
  while (text[to + step] === '_' && Math.abs(to - at) < MAX_UNDERSCORES) to += step;
  return text[to + step] ?? '';
}

function isSpace(character: string): boolean {
  return character === '' || character === ' ' || character === '\n';
}

export function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}

const BLOCK_START = /^(?:#{1,6}(?= |$)|>|[-+](?= |$)|[-=]{2,}$|\d{1,9}[.)](?= |$)|~{3})/;

/** Escapes what would turn a line of prose into a heading, a quote, a list item or a thematic break. */
export function escapeLineStarts(text: string): string {
  if (!text.includes('\n')) return escapeLineStart(text);
  return text.split('\n').map(escapeLineStart).join('\n');
}

const FIRST_CHARACTERS = new Set('#>-+=0123456789~');

function escapeLineStart(line: string): string {
  if (!FIRST_CHARACTERS.has(line[0] ?? '') || !BLOCK_START.test(line)) return line;
  const digits = /^\d+/.exec(line)?.[0].length ?? 0;
  return `${line.slice(0, digits)}\\${line.slice(digits)}`;
}

/** Brackets in a link's text must balance, or the link ends early. */
export function balanceBrackets(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length && depth >= 0; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b) depth += 1;
    else if (code === 0x5d) depth -= 1;
  }
  return depth === 0 ? text : text.replace(/\\?[[\]]/g, (mark) => (mark.length === 2 ? mark : `\\${mark}`));
}

/** Wraps text as inline code with more backticks than any run inside. */
export function codeSpan(text: string): string {
  if (!text.includes('`')) return `\`${text}\``;
  let longestRun = 0;
  for (const [run] of text.matchAll(/`+/g)) longestRun = Math.max(longestRun, run.length);
  const fence = '`'.repeat(longestRun + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
