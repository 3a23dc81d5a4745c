// Words of the library that begin like a given one: where a misspelt word looks for what was meant.

import type { SearchRows } from '../../port.ts';
import { batch, type Executor } from '../engine/engine.ts';

const beginning = batch(
  { version_id: 'int' },
  `select p.term, p.chunks from search_segments g join search_postings p on p.segment_id = g.id, {rows} r
   where g.version_id = r.version_id and g.state in (1, 2) and p.term >= $1 and p.term < $2
     and length(p.term) between $3 and $4 limit $5`,
  ['text', 'text', 'int', 'int', 'int'],
);

/** Rows of one version: a beginning that more words have is no help. */
const MAX_ROWS = 4000;
const LAST = '\u{10ffff}';

export function createNearTerms(reader: Executor): SearchRows['nearTerms'] {
  return async (versions, prefix, { least, most }) => {
    const rows = await reader.each<{ term: string; chunks: number }>(
      beginning,
      versions.map((version) => [version]),
      [prefix, `${prefix}${LAST}`, least, most, MAX_ROWS],
    );
    const chunks = new Map<string, number>();
    for (const row of rows) chunks.set(row.term, (chunks.get(row.term) ?? 0) + row.chunks);
    return [...chunks].map(([term, having]) => ({ term, having }));
  };
}
