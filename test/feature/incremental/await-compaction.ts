// Detects when the search index of a SQLite library is idle: no segment is being written, merged or dropped.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A merge may follow another one, after the pause of an idle indexer. */
const QUIET_MS = 600;

export interface CompactionWatch {
  readonly isTidy: () => boolean;
  readonly close: () => void;
}

export function watchCompaction(directory: string): CompactionWatch {
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true, timeout: 5000 });
  const unfinished = database.prepare('select count(*) as n from search_segments where state <> 1');
  let restingSince: number | null = null;
  return {
    isTidy() {
      const { n } = unfinished.get() as { n: number };
      if (n > 0) restingSince = null;
      else restingSince ??= performance.now();
      if (restingSince === null || performance.now() - restingSince < QUIET_MS) return false;
      restingSince = null;
      return true;
    },
    close: () => database.close(),
  };
}
