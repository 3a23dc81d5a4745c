// The keys of pages and redirects that changed since the end of a run last looked at them. Triggers add a mark for each change.

import { batch } from '../engine/engine.ts';

export type MarkTable = 'duplicate_marks' | 'link_marks';

/** A page may have several marks. */
export function selectMarkedKeys(table: MarkTable): string {
  return `select distinct url_key from ${table} where version_id = $1 and url_key > $2 order by url_key limit $3`;
}

export function deleteMarks(table: MarkTable) {
  return batch(
    { url_key: 'bytes' },
    `delete from ${table} where version_id = $1 and url_key in (select r.url_key from {rows} r)`,
    ['int'],
  );
}
