// An independent fence scanner to check the chunkers against: line by line, with quotes, without block structure.

const OPENS = /^((?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;

/** The opening line of a fence that is still open at the end, or null if all are balanced. */
export function openFence(markdown: string): string | null {
  let open: { readonly line: string; readonly marks: string; readonly isQuoted: boolean } | null = null;
  for (const line of markdown.split('\n')) {
    if (open !== null && open.isQuoted && !/^\s*>/.test(line)) open = null;
    if (open === null) {
      const [, prefix = '', marks] = OPENS.exec(line) ?? [];
      if (marks !== undefined) open = { line, marks, isQuoted: prefix.includes('>') };
      continue;
    }
    const inside = open.isQuoted ? line.replace(/^[\s>]*/, '') : line.trim();
    const isClosing =
      inside.trim().length >= open.marks.length && inside.trim() === open.marks[0]!.repeat(inside.trim().length);
    if (isClosing) open = null;
  }
  return open?.line ?? null;
}
