// Looks up which of a fixed list of names is at an offset of the page, ignoring case and without slicing a string. Every
// name found is the same string object, so later comparisons compare pointers.

export interface NameTable {
  /** The index of the name at html[start, end), -1 if it is not in the list. */
  indexAt(html: string, start: number, end: number): number;
}

const SLOTS = 1024;

export function createNameTable(names: readonly string[]): NameTable {
  const slots: number[][] = Array.from({ length: SLOTS }, () => []);
  let maxLength = 0;
  for (const [index, name] of names.entries()) {
    slots[slotOf(name, 0, name.length)]?.push(index);
    maxLength = Math.max(maxLength, name.length);
  }
  return {
    indexAt(html, start, end) {
      const length = end - start;
      if (length === 0 || length > maxLength) return -1;
      const candidates = slots[slotOf(html, start, end)] as number[];
      for (const index of candidates) if (isAt(names[index] as string, html, start, length)) return index;
      return -1;
    },
  };
}

function slotOf(text: string, start: number, end: number): number {
  const length = end - start;
  const first = text.charCodeAt(start) | 0x20;
  const middle = text.charCodeAt(start + (length >> 1)) | 0x20;
  const last = text.charCodeAt(end - 1) | 0x20;
  return (length * 131 + first * 31 + middle * 7 + last * 3) & (SLOTS - 1);
}

function isAt(name: string, html: string, start: number, length: number): boolean {
  if (name.length !== length) return false;
  for (let at = 0; at < length; at += 1) {
    const code = html.charCodeAt(start + at);
    const lower = code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
    if (lower !== name.charCodeAt(at)) return false;
  }
  return true;
}
