// Replaces the inline links and images of a Markdown text, except in code. Linear: each character is visited a bounded number of times.

import { codeSpans } from '../extract/markdown/inline-markdown.ts';
import { fencedCode } from './scan-blocks.ts';

export interface WrittenLink {
  /** What is between the brackets. */
  readonly label: string;
  /** What is between the parentheses: a URL, in angle brackets if it has spaces, and perhaps a title. */
  readonly target: string;
  readonly isImage: boolean;
}

/** `[text](target)` becomes what `replace` returns. Fenced code is unchanged. */
export function replaceLinks(markdown: string, replace: (link: WrittenLink) => string): string {
  if (!markdown.includes('](')) return markdown;
  return outsideFences(markdown, (line) => replaceInLine(line, replace));
}

const RELATIVE = /^(?![a-z][a-z\d+.-]*:|\/\/|#)/i;

/** Links relative to the page, as files of Markdown have them, lead nowhere once the text is elsewhere. Code is unchanged. */
export function absoluteLinks(markdown: string, url: string): string {
  if (!URL.canParse(url) || !url.startsWith('http')) return markdown;
  const absolute = (target: string): string => {
    const [, inBrackets, bare = '', rest = ''] = /^(?:<([^>]*)>|(\S*))(.*)$/s.exec(target) ?? [];
    const path = inBrackets ?? bare;
    const resolved = RELATIVE.test(path) && path !== '' ? URL.parse(path, url)?.href : undefined;
    return resolved === undefined ? target : `${resolved}${rest}`;
  };
  return outsideFences(markdown, (line) => {
    const definition = /^( {0,3}\[[^\]]{1,300}\]:[ \t]*)(\S.*)$/.exec(line.slice(0, 2500));
    if (definition !== null && line.length <= 2500 && !line.trimStart().startsWith('[^'))
      return `${definition[1]}${absolute(definition[2] ?? '')}`;
    if (!line.includes('](')) return line;
    return outsideCodeSpans(line, (text) =>
      replaceInLine(text, ({ label, target, isImage }) => `${isImage ? '!' : ''}[${label}](${absolute(target)})`),
    );
  });
}

function outsideFences(markdown: string, change: (line: string) => string): string {
  const changeLines = (text: string): string => text.split('\n').map(change).join('\n');
  let out = '';
  let from = 0;
  for (const { start, end } of fencedCode(markdown)) {
    out += changeLines(markdown.slice(from, start)) + markdown.slice(start, end);
    from = end;
  }
  return out + changeLines(markdown.slice(from));
}

function outsideCodeSpans(line: string, change: (text: string) => string): string {
  let out = '';
  let from = 0;
  for (const { start, end } of codeSpans(line)) {
    out += change(line.slice(from, start)) + line.slice(start, end);
    from = end;
  }
  return out + change(line.slice(from));
}

function replaceInLine(line: string, replace: (link: WrittenLink) => string): string {
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
    const isImage = line.charAt(open - 1) === '!' && open - 1 >= from;
    const link = { label: line.slice(open + 1, at), target: line.slice(at + 2, end - 1), isImage };
    out += line.slice(from, isImage ? open - 1 : open) + replace(link);
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
