// Strips the targets of links and images from a passage: they cost tokens, and the page itself has them.

import { fencedCode } from '../markdown/scan-blocks.ts';

/** `[text](target)` becomes `text`. Code blocks are unchanged. Linear: each character is visited a bounded number of times. */
export function stripLinkTargets(markdown: string): string {
  if (!markdown.includes('](')) return markdown;
  let out = '';
  let from = 0;
  for (const { start, end } of fencedCode(markdown)) {
    out += stripLines(markdown.slice(from, start)) + markdown.slice(start, end);
    from = end;
  }
  return out + stripLines(markdown.slice(from));
}

function stripLines(text: string): string {
  return text.includes('](') ? text.split('\n').map(stripLine).join('\n') : text;
}

function stripLine(line: string): string {
  if (!line.includes('](')) return line;
  let out = '';
  let from = 0;
  for (let at = line.indexOf(']('); at !== -1; at = line.indexOf('](', from)) {
    const open = openingOf(line, from, at);
    const end = endOfTarget(line, at + 2);
    if (open === -1 || end === -1) {
      out += line.slice(from, at + 2);
      from = at + 2;
      continue;
    }
    const start = line.charAt(open - 1) === '!' && open - 1 >= from ? open - 1 : open;
    out += line.slice(from, start) + line.slice(open + 1, at);
    from = end;
  }
  return out + line.slice(from);
}

/** The bracket that matches the one at `close`, at or after `from`; else -1. */
function openingOf(line: string, from: number, close: number): number {
  let depth = 1;
  for (let at = close - 1; at >= from; at -= 1) {
    const code = line.charCodeAt(at);
    if (code === 0x5d) depth += 1;
    else if (code === 0x5b) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

const MAX_TARGET_CHARS = 500;

/** The offset after the closing parenthesis, or -1 if this is not a link target. */
function endOfTarget(line: string, start: number): number {
  if (line.charCodeAt(start) === 0x3c) {
    const end = line.indexOf('>)', start);
    return end === -1 ? -1 : end + 2;
  }
  let depth = 1;
  for (let at = start; at < line.length && at - start < MAX_TARGET_CHARS; at += 1) {
    const code = line.charCodeAt(at);
    if (code === 0x28) depth += 1;
    else if (code === 0x29) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}
