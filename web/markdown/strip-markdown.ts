// A passage as a line of plain words, for people who look over many. The marks of Markdown go; what they mark stays.

export function plainWords(markdown: string): string {
  return markdown
    .split('\n')
    .filter((line) => !/^\s{0,3}(?:#{1,6}\s|```|~~~|\|?\s*:?-{3,}:?\s*(?:\||$))/.test(line))
    .map(plainLine)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function plainLine(line: string): string {
  return line
    .replace(/^[\s>]+/, '')
    .replace(/^(?:[-*+]|\d{1,9}[.)])\s+/, '')
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/(^|\s)\|(?=\s|$)/g, '$1');
}
