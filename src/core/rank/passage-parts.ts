// A passage as parts that can be read alone: an answer may show some of them and leave the others out. A heading stays with what
// it heads, a line that ends in a colon with what it announces, and a few words with what follows.

import { passageBlocks } from './passage-blocks.ts';

/** Shorter blocks say little alone. */
const SHORT_CHARS = 80;
/** A part that is longer takes nothing more in. */
const LONG_CHARS = 1200;

export function passageParts(text: string): string[] {
  const parts: string[] = [];
  let isOpen = false;
  for (const block of passageBlocks(text)) {
    const before = parts.at(-1);
    if (before !== undefined && isOpen && before.length + block.text.length < LONG_CHARS) {
      parts[parts.length - 1] = `${before}\n\n${block.text}`;
    } else parts.push(block.text);
    isOpen = !block.isCode && leadsOn(block.text.trimEnd());
  }
  return parts;
}

function leadsOn(block: string): boolean {
  return block.length < SHORT_CHARS || block.endsWith(':') || isOnlyHeading(block);
}

export function isOnlyHeading(text: string): boolean {
  return text.startsWith('#') && !text.trimEnd().includes('\n');
}
