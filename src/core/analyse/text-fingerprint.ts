// What a page says, apart from where it leads: two pages that differ in their links or numbers alone have the same
// fingerprint. It tells traps, not secrets, so a quick hash in one pass will do.

import type { Document } from '../model/document.ts';

const LONGEST_LABEL = 300;
const LONGEST_TARGET = 2048;
const OPEN = '['.charCodeAt(0);
const SPACE = 32;
const ZERO = 48;
const NINE = 57;

export function textFingerprint({ title, text }: Pick<Document, 'title' | 'text'>): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  const add = (code: number): void => {
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13);
  };
  for (let i = 0; i < title.length; i++) add(title.charCodeAt(i));
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const end = code === OPEN ? linkEnd(text, i) : -1;
    if (end !== -1) i = end;
    else if (code > SPACE && (code < ZERO || code > NINE)) add(code);
  }
  return `${(high >>> 0).toString(36)}-${(low >>> 0).toString(36)}`;
}

/** Where the Markdown link that opens here ends. The look ahead is bounded, so the time is linear whatever the text. */
function linkEnd(text: string, open: number): number {
  const label = text.slice(open, open + LONGEST_LABEL).indexOf('](');
  if (label === -1) return -1;
  const target = text.slice(open + label, open + label + LONGEST_TARGET).indexOf(')');
  return target === -1 ? -1 : open + label + target;
}
