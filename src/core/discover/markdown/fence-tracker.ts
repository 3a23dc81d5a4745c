// Tracks fenced code blocks through the lines of a Markdown text, so that headings and links in examples are ignored.

export interface FenceTracker {
  /** Consumes the next line; true if it belongs to fenced code, including the fences. */
  consume(line: string): boolean;
  /** Whether the lines so far end inside fenced code. */
  isOpen(): boolean;
  /** Closes an open fence, because another text starts. */
  reset(): void;
}

export function createFenceTracker(): FenceTracker {
  let open: string | null = null;
  return {
    consume(line) {
      const fence = parseFence(line);
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

/** Indentation is ignored: fences inside lists can be indented by any amount. */
function parseFence(line: string): { readonly mark: string; readonly rest: string } | null {
  const text = line.trimStart();
  const char = text[0];
  if (char !== '`' && char !== '~') return null;
  let length = 1;
  while (text[length] === char) length += 1;
  return length < 3 ? null : { mark: text.slice(0, length), rest: text.slice(length) };
}
