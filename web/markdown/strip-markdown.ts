// Turns a Markdown passage into one line of plain text for excerpts: the syntax is removed, the content stays.

import { excerptLines } from '../../src/core/markdown/excerpt-lines.ts';

export function stripMarkdown(markdown: string): string {
  return excerptLines(markdown).map(stripLine).join(' ').replaceAll(/\s+/g, ' ').trim();
}

function stripLine(line: string): string {
  return line
    .replace(/^[\s>]+/, '')
    .replace(/^(?:[-*+]|\d{1,9}[.)])\s+/, '')
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/(^|\s)\|(?=\s|$)/g, '$1');
}
