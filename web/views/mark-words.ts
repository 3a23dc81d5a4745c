// Where the words of a question stand in a text, by the tokenizer that found the text.

import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';

export interface MarkedPart {
  readonly text: string;
  readonly isWord: boolean;
}

export function markWords(text: string, question: string): readonly MarkedPart[] {
  const wanted = new Set(tokenize(question));
  const parts: MarkedPart[] = [];
  for (const [piece] of text.matchAll(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu)) {
    const isWord = tokenize(piece).some((token) => wanted.has(token));
    const last = parts.at(-1);
    if (last !== undefined && !last.isWord && !isWord) parts[parts.length - 1] = { text: last.text + piece, isWord };
    else parts.push({ text: piece, isWord });
  }
  return parts;
}
