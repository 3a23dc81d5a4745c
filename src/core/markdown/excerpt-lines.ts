// The lines of a passage that a summary or an excerpt in one line shows.

import { lineKinds } from './scan-blocks.ts';

/** Lines with words that are neither a heading nor the fence of code. */
export function excerptLines(text: string): readonly string[] {
  const kinds = lineKinds(text, { isExcerpt: true });
  return text.split('\n').filter((line, at) => {
    const kind = kinds[at];
    if (kind === 'fence' || !/[\p{L}\p{N}]/u.test(line)) return false;
    return kind === 'code' || !/^\s{0,3}#{1,6}\s/.test(line);
  });
}
