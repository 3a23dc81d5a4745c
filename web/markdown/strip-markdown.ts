// Turns a Markdown passage into one line of plain text for excerpts: the syntax is removed, the content stays.

export function stripMarkdown(markdown: string): string {
  return markdown
    .split('\n')
    .filter((line) => !/^\s{0,3}(?:#{1,6}\s|```|~~~|\|?\s*:?-{3,}:?\s*(?:\||$))/.test(line))
    .map(stripLine)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function stripLine(line: string): string {
  return line
    .replace(/^[\s>]+/, '')
    .replace(/^(?:[-*+]|\d{1,9}[.)])\s+/, '')
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/(^|\s)\|(?=\s|$)/g, '$1');
}
