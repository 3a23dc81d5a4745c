// Lines of Markdown as a reader sees them, for summaries and excerpts.

import { lineKinds } from './scan-blocks.ts';

/** Lines with words that are neither a heading nor the fence of code. */
export function excerptLines(text: string): readonly string[] {
  const kinds = lineKinds(text, { isExcerpt: true });
  return text.split('\n').filter((line, at) => {
    const kind = kinds[at];
    if (kind === 'fence' || !/[\p{L}\p{N}]/u.test(line)) return false;
    return kind === 'code' || !/^\s{0,3}#{1,6}\s/.test(line);
  });
}

const CODE_OR_OTHER = /`{1,3}([^`]{1,500})`{1,3}|[^`]+|`+/g;

/** Without the marks of emphasis, links and quotes, and without the frame of a row. Text between backticks stays as it is. */
export function stripInline(line: string): string {
  const bare = line
    .replace(/^[\s>]+/, '')
    .replace(/^\[![A-Z]{3,12}\]\s*/, '')
    .replace(/^\|\s*/, '')
    .replace(/\|$/, '');
  const parts = Array.from(bare.matchAll(CODE_OR_OTHER), ([whole, code]) => {
    if (code !== undefined) return code;
    return whole.startsWith('`') ? whole : stripMarks(whole);
  });
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}

function stripMarks(text: string): string {
  return text
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}(?:\s"[^"]{0,200}")?\)/g, '$1')
    .replaceAll(/\*\*([^*]{1,500})\*\*|(?<![\p{L}\p{N}_])__([^_]{1,500})__(?![\p{L}\p{N}_])/gu, '$1$2');
}
