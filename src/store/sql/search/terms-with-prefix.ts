// Reads the indexed terms with a prefix, of segments or of an engine outside of the database. Spelling correction looks among them
// for those that are similar to an unknown one.

import type { IndexedTerm } from '../../../core/lexical/query/index-query.ts';
import type { VersionId } from '../../../core/model/run.ts';
import type { Batch, Executor, Value } from '../engine/engine.ts';

/** Of one version: a prefix that more terms share does not help. */
const MAX_ROWS = 4000;
const LAST_CODE_POINT = '\u{10ffff}';

export interface TermPrefix {
  readonly versions: readonly VersionId[];
  readonly prefix: string;
  readonly length: { readonly min: number; readonly max: number };
}

/**
 * The statement reads `term` and `chunks` of one version; its values are where the prefix begins and ends, the smallest and the largest
 * length, the number of rows, and then `more`.
 */
export async function readTermsWithPrefix(
  reader: Executor,
  statement: Batch,
  { versions, prefix, length }: TermPrefix,
  more: readonly Value[] = [],
): Promise<readonly IndexedTerm[]> {
  const rows = await reader.each<{ term: string; chunks: number }>(
    statement,
    versions.map((version) => [version]),
    [prefix, `${prefix}${LAST_CODE_POINT}`, length.min, length.max, MAX_ROWS, ...more],
  );
  const chunks = new Map<string, number>();
  for (const row of rows) chunks.set(row.term, (chunks.get(row.term) ?? 0) + row.chunks);
  return [...chunks].map(([term, docFrequency]) => ({ term, docFrequency }));
}
