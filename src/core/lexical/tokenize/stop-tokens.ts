// Stop words as the tokenizer leaves them.

import { stem } from './stem.ts';
import { stopWords } from './stop-words.table.ts';

const stopTokens: ReadonlySet<string> = new Set([...stopWords].map(stem));

export function isStopToken(token: string): boolean {
  return stopTokens.has(token);
}
