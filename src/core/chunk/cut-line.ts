// Cuts a line that is longer than a chunk may be: after a sentence, else after a word, else between two characters.

/** Where the pieces of `text[start, end)` end; the last one is `end`. `forced` tells whether a word was cut. */
export interface LineCuts {
  readonly ends: readonly number[];
  readonly forced: boolean;
}

export function cutLine(text: string, start: number, end: number, roomChars: number): LineCuts {
  const ends: number[] = [];
  let forced = false;
  let from = start;
  while (end - from > roomChars) {
    const limit = from + roomChars;
    const half = from + (roomChars >> 1);
    let cut = lastSentenceEnd(text, half, limit);
    if (cut === -1) cut = lastSpaceEnd(text, half, limit);
    if (cut === -1) {
      cut = wholeCharacter(text, limit);
      forced = true;
    }
    ends.push(cut);
    from = cut;
  }
  ends.push(end);
  return { ends, forced };
}

function lastSentenceEnd(text: string, low: number, high: number): number {
  for (let at = high - 1; at > low; at -= 1) {
    if (text.charCodeAt(at) === 0x20 && endsSentence(text.charCodeAt(at - 1))) return at + 1;
    if (isCjkStop(text.charCodeAt(at))) return at + 1;
  }
  return -1;
}

function lastSpaceEnd(text: string, low: number, high: number): number {
  for (let at = high - 1; at > low; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09) return at + 1;
  }
  return -1;
}

/** `.`, `!`, `?` and `;` before a space. */
function endsSentence(code: number): boolean {
  return code === 0x2e || code === 0x21 || code === 0x3f || code === 0x3b;
}

function isCjkStop(code: number): boolean {
  return code === 0x3002 || code === 0xff01 || code === 0xff1f;
}

/** Steps back when the cut would part a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
