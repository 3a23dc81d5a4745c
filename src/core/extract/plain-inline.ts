// The plain words of a short piece of Markdown: a heading, a link text, a title.

import { codeSpans } from './markdown/inline-markdown.ts';

const LONGEST = 1000;

export function plainInline(markdown: string): string {
  const unlinked = markdown.slice(0, LONGEST).replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1');
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of codeSpans(unlinked)) {
    parts.push(withoutMarks(unlinked.slice(at, start)), unlinked.slice(start, end).replace(/^`+ ?| ?`+$/g, ''));
    at = end;
  }
  parts.push(withoutMarks(unlinked.slice(at)));
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function withoutMarks(text: string): string {
  return text
    .replace(/<\/?[A-Za-z][^<>]*>/g, '')
    .replace(/(?<![\\\w])(?:\*{1,3}|_{1,3}|~~)(?=\S)|(?<=[^\s\\])(?:\*{1,3}|_{1,3}|~~)(?!\w)/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => ENTITIES.get(name) ?? whole);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', ' '],
  ['#39', "'"],
]);
