// Parses inline Markdown: code, strong, emphasis, links and images. Everything else is text. Brackets are matched in one pass,
// and an unclosed delimiter is searched for once, so any text takes linear time.

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly inside: readonly Inline[] }
  | { readonly kind: 'link'; readonly target: string; readonly inside: readonly Inline[] }
  | { readonly kind: 'image'; readonly target: string; readonly alt: string }
  | { readonly kind: 'break' };

const MAX_LEVELS = 6;
const MAX_TARGET_CHARS = 4000;

interface Scan {
  readonly text: string;
  readonly level: number;
  /** Closing position by opening position. */
  readonly brackets: ReadonlyMap<number, number>;
  readonly parentheses: ReadonlyMap<number, number>;
  /** Delimiters with no closing occurrence from here on. */
  readonly open: Set<string>;
}

interface ParsedInline {
  readonly inline: Inline;
  readonly end: number;
}

export function parseInline(text: string, level = 0): readonly Inline[] {
  const pairs = { brackets: matchPairs(text, '[', ']'), parentheses: matchPairs(text, '(', ')') };
  const scan: Scan = { text, level, ...pairs, open: new Set() };
  const found: Inline[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') found.push({ kind: 'text', text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    const escaped = char === '\\' ? text.charAt(at + 1) : '';
    if (/[!-/:-@[-`{-~]/.test(escaped)) {
      plain += escaped;
      at += 2;
      continue;
    }
    const mark = level < MAX_LEVELS ? markAt(scan, at) : null;
    if (mark === null) {
      plain += char;
      at += 1;
    } else {
      flush();
      found.push(mark.inline);
      at = mark.end;
    }
  }
  flush();
  return found;
}

function markAt(scan: Scan, at: number): ParsedInline | null {
  switch (scan.text.charAt(at)) {
    case '`':
      return codeAt(scan, at);
    case '*':
    case '_':
    case '~':
      return emphasisAt(scan, at);
    case '!':
      return scan.text.charAt(at + 1) === '[' ? imageAt(scan, at) : null;
    case '[':
      return linkAt(scan, at);
    case '<':
      return autolinkAt(scan.text, at);
    case '\n':
      return {
        inline: /(?: {2}|\\)$/.test(scan.text.slice(Math.max(0, at - 2), at))
          ? { kind: 'break' }
          : { kind: 'text', text: ' ' },
        end: at + 1,
      };
    default:
      return null;
  }
}

function codeAt({ text, open }: Scan, at: number): ParsedInline | null {
  const [marks = '`'] = /^`+/.exec(text.slice(at, at + 20)) ?? [];
  const inside = at + marks.length;
  const end = endOf(text, marks, inside, open);
  if (end === -1) return { inline: { kind: 'text', text: marks }, end: inside };
  const code = text.slice(inside, end).replaceAll('\n', ' ');
  return {
    inline: { kind: 'code', text: code.trim() === '' ? code : code.replace(/^ (.*) $/, '$1') },
    end: end + marks.length,
  };
}

const KINDS = { '**': 'strong', __: 'strong', '*': 'em', _: 'em', '~~': 'del' } as const;

function emphasisAt({ text, level, open }: Scan, at: number): ParsedInline | null {
  const two = text.slice(at, at + 2);
  const mark = two in KINDS ? two : text.charAt(at);
  const kind = KINDS[mark as keyof typeof KINDS] as (typeof KINDS)[keyof typeof KINDS] | undefined;
  const inside = at + mark.length;
  if (kind === undefined || /\s|^$/.test(text.charAt(inside))) return null;
  // `snake_case` is an identifier, not emphasis.
  if (mark.startsWith('_') && /\w/.test(text.charAt(at - 1))) return null;
  const end = endOf(text, mark, inside + 1, open);
  if (
    end === -1 ||
    /\s/.test(text.charAt(end - 1)) ||
    (mark.startsWith('_') && /\w/.test(text.charAt(end + mark.length)))
  )
    return null;
  return { inline: { kind, inside: parseInline(text.slice(inside, end), level + 1) }, end: end + mark.length };
}

function endOf(text: string, mark: string, from: number, open: Set<string>): number {
  if (open.has(mark)) return -1;
  const end = text.indexOf(mark, from);
  if (end === -1) open.add(mark);
  return end;
}

function imageAt(scan: Scan, at: number): ParsedInline | null {
  const target = targetAfter(scan, at + 1);
  if (target === null) return null;
  const alt = scan.text.slice(at + 2, target.textEnd);
  return { inline: { kind: 'image', target: target.url, alt }, end: target.end };
}

function linkAt(scan: Scan, at: number): ParsedInline | null {
  const target = targetAfter(scan, at);
  if (target === null) return null;
  const inside = parseInline(scan.text.slice(at + 1, target.textEnd), scan.level + 1);
  return { inline: { kind: 'link', target: target.url, inside }, end: target.end };
}

interface Target {
  readonly url: string;
  readonly textEnd: number;
  readonly end: number;
}

function targetAfter({ text, brackets, parentheses }: Scan, opening: number): Target | null {
  const textEnd = brackets.get(opening);
  if (textEnd === undefined || text.charAt(textEnd + 1) !== '(') return null;
  const end = parentheses.get(textEnd + 1);
  if (end === undefined || end - textEnd > MAX_TARGET_CHARS) return null;
  const [url = ''] = text
    .slice(textEnd + 2, end)
    .trim()
    .split(/\s/, 1);
  return { url: url.replace(/^<(.*)>$/, '$1'), textEnd, end: end + 1 };
}

function autolinkAt(text: string, at: number): ParsedInline | null {
  const [whole, url = ''] = /^<(https?:\/\/[^\s<>"]{1,2000})>/.exec(text.slice(at, at + 2100)) ?? [];
  if (whole === undefined) return null;
  return { inline: { kind: 'link', target: url, inside: [{ kind: 'text', text: url }] }, end: at + whole.length };
}

function matchPairs(text: string, opening: string, closing: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const stack: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === opening) stack.push(at);
    else if (char === closing) {
      const start = stack.pop();
      if (start !== undefined) pairs.set(start, at);
    }
  }
  return pairs;
}
