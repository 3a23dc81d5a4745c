// Finds inline links in one line of Markdown: `[text](target "title")`, with balanced brackets in the text and balanced
// parentheses in the target. A single pass over the line.

export interface InlineLink {
  readonly text: string;
  readonly target: string;
  /** Offsets in the line, end exclusive. */
  readonly start: number;
  readonly end: number;
}

export function inlineLinks(line: string): InlineLink[] {
  const links: InlineLink[] = [];
  const openings: number[] = [];
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at];
    if (char === '\\') at += 1;
    else if (char === '[') openings.push(at);
    else if (char === ']') {
      const start = openings.pop();
      const target = start !== undefined && line[at + 1] === '(' ? targetAt(line, at + 2) : null;
      if (start === undefined || target === null) continue;
      // An image inside a link is not a link; the brackets of the link follow later.
      if (line[start - 1] !== '!')
        links.push({ text: stripMarkup(line.slice(start + 1, at)), target: target.url, start, end: target.end });
      at = target.end - 1;
    }
  }
  return links;
}

function stripMarkup(text: string): string {
  return text
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
}

interface Target {
  readonly url: string;
  /** Past the closing parenthesis. */
  readonly end: number;
}

/** Limits that no real link reaches; without them `](](](` takes quadratic time. */
const MAX_TARGET_CHARS = 2048;
const MAX_PARENTHESES = 8;

function targetAt(line: string, from: number): Target | null {
  let start = from;
  while (line[start] === ' ') start += 1;
  if (line[start] === '<') return angleTarget(line, start);
  let depth = 0;
  for (let at = start; at < line.length && at - start < MAX_TARGET_CHARS; at += 1) {
    const char = line[at];
    if (char === ' ') return skipTitle(line, line.slice(start, at), at);
    if (char === '(') depth += 1;
    if (char === ')' && depth === 0) return { url: line.slice(start, at), end: at + 1 };
    if (char === ')') depth -= 1;
    if (depth > MAX_PARENTHESES) return null;
  }
  return null;
}

function angleTarget(line: string, start: number): Target | null {
  const length = line.slice(start, start + MAX_TARGET_CHARS).indexOf('>');
  return length === -1 ? null : skipTitle(line, line.slice(start + 1, start + length), start + length);
}

/** Skips a title, up to the next closing parenthesis. */
function skipTitle(line: string, url: string, from: number): Target | null {
  const length = line.slice(from, from + MAX_TARGET_CHARS).indexOf(')');
  return length === -1 ? null : { url, end: from + length + 1 };
}
