// Tells when the search index of a SQLite library has come to rest: no segment is being written, merged or dropped.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A merge may follow another one, after the pause that an indexer without work makes. */
const REST_MS = 600;

export interface TidyIndex {
  readonly isTidy: () => boolean;
  readonly close: () => void;
}

export function watchTidyIndex(directory: string): TidyIndex {
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true, timeout: 5000 });
  const unfinished = database.prepare('select count(*) as n from search_segments where state <> 1');
  let restingSince: number | null = null;
  return {
    isTidy() {
      const { n } = unfinished.get() as { n: number };
      if (n > 0) restingSince = null;
      else restingSince ??= performance.now();
      if (restingSince === null || performance.now() - restingSince < REST_MS) return false;
      restingSince = null;
      return true;
    },
    close: () => database.close(),
  };
}
