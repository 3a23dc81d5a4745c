// The words inside one name: `readFileSync` is read, file, sync; `HTTPServer` is http, server.

import { asciiClass, DIGIT, LOWER, UPPER } from './tokenize/characters.ts';

/** Where the parts of `text[start, end)` begin, after the first; empty when it is one word. */
export function partStarts(text: string, start: number, end: number): number[] {
  const starts: number[] = [];
  for (let at = start + 1; at < end; at += 1) {
    if (asciiClass(text.charCodeAt(at)) !== UPPER) continue;
    const before = asciiClass(text.charCodeAt(at - 1));
    const after = at + 1 < end ? asciiClass(text.charCodeAt(at + 1)) : 0;
    // Upper after lower starts a word; so does the last capital of an acronym that a word follows.
    if (before === LOWER || before === DIGIT || (before === UPPER && after === LOWER)) starts.push(at);
  }
  return starts;
}
