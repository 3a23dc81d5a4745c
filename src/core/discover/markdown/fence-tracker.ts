// Follows fenced code through the lines of a Markdown text, so that headings and links in examples are left alone.

export interface FenceTracker {
  /** Takes the next line; true where the line belongs to fenced code, its fences included. */
  take(line: string): boolean;
  /** Whether the lines so far end inside a fence. */
  isOpen(): boolean;
  /** Forgets an open fence: what comes next is another text. */
  reset(): void;
}

export function createFenceTracker(): FenceTracker {
  let open: string | null = null;
  return {
    take(line) {
      const fence = fenceOf(line);
      if (open === null) {
        if (fence === null || (fence.mark.startsWith('`') && fence.rest.includes('`'))) return false;
        open = fence.mark;
        return true;
      }
      if (fence !== null && fence.rest.trim() === '' && fence.mark.startsWith(open)) open = null;
      return true;
    },
    isOpen: () => open !== null,
    reset() {
      open = null;
    },
  };
}

/** Indentation is not counted: fences inside lists stand anywhere. */
function fenceOf(line: string): { readonly mark: string; readonly rest: string } | null {
  const text = line.trimStart();
  const char = text[0];
  if (char !== '`' && char !== '~') return null;
  let length = 1;
  while (text[length] === char) length += 1;
  return length < 3 ? null : { mark: text.slice(0, length), rest: text.slice(length) };
}
