// Texts that would be syntax if they were not escaped: SQL, full-text queries, patterns, HTML; and noise.

import { createHash } from 'node:crypto';

const PIECES = [
  "'", '"', ';', '--', '/*', '*/', '\\', '%', '_', '&', '|', '!', '<->', ':*', '(', ')', 'AND', 'OR', 'NOT', 'NEAR(', '^', '*', '+', '-', '{', '}', '[', ']', '$1', '$$', '?', ':name', '@', '#', '~', '`', '=', '<', '>', 'select', 'drop table', 'union all', "' or '1'='1", 'a & ', "to_tsquery('", 'pool', 'connection', 'column:', 'title:', '\u0000', '\u202E', '\uD800', '😀', 'é', '中文', '\t', '\n', '../../..', '<script>', '{{7*7}}', '%00', 'x'.repeat(300),
]; // prettier-ignore

/** The same list every time. */
export function* hostileQueries(count: number): Generator<string> {
  for (let i = 0; i < count; i += 1) {
    const bytes = createHash('sha256').update(String(i)).digest();
    const length = 1 + ((bytes[0] ?? 0) % 12);
    const words = Array.from(bytes.subarray(1, 1 + length), (byte) => PIECES[byte % PIECES.length] ?? '');
    yield words.join((bytes[31] ?? 0) % 2 === 0 ? ' ' : '').toWellFormed();
  }
}
