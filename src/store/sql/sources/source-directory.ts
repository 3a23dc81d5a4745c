// The sources of the library in memory. Each change of one gives it the next revision, so a process that has read all of them once
// reads only those that have changed since.

import type { Source } from '../../port/sources.ts';
import { SOURCE_COLUMNS, toSources, type SourceReader, type SourceRow } from './read-sources.ts';
import { compareText } from '../../../core/text/compare-text.ts';

interface HeadRow {
  readonly revision: number;
  readonly deleted: number;
}

/** One row if nothing has changed. In one statement, so that a source is either found or counted as deleted. */
const selectChanged = `select h.revision as head_revision, h.deleted as head_deleted, s.* from source_head h
  left join (select ${SOURCE_COLUMNS}, removed_at, revision from sources) s on s.revision > $1`;

type ChangedRow = { readonly head_revision: number; readonly head_deleted: number } & (
  | (SourceRow & { readonly removed_at: number | null })
  | { readonly id: null }
);

/** Returns every source, by name. The list is the same object until a source changes. */
export function createSourceDirectory(from: SourceReader): () => Promise<readonly Source[]> {
  const sources = new Map<number, Source>();
  let head: HeadRow = { revision: 0, deleted: 0 };
  let sorted: readonly Source[] = [];

  async function readSince(known: number): Promise<{ readonly read: HeadRow; readonly apply: () => void }> {
    const rows = await from.reader.all<ChangedRow>(selectChanged, [known]);
    const [first] = rows;
    if (first === undefined) throw new Error('the library has no directory of sources');
    const read = { revision: first.head_revision, deleted: first.head_deleted };
    const changed = rows.flatMap((row) => (row.id === null ? [] : [row]));
    const unchanged = await toSources(
      from,
      changed.filter((row) => row.removed_at === null),
    );
    const apply = (): void => {
      if (known === 0) sources.clear();
      for (const { id } of changed) sources.delete(id);
      for (const source of unchanged) sources.set(source.id, source);
      head = read;
      sorted = [...sources.values()].toSorted((a, b) => compareText(a.name, b.name));
    };
    return { read, apply };
  }

  return async () => {
    const known = head.revision;
    let found = await readSince(known);
    if (found.read.revision === known && known > 0) return sorted;
    if (found.read.deleted > known) found = await readSince(0);
    // Another caller may have read more in the meantime.
    if (found.read.revision > head.revision) found.apply();
    return sorted;
  };
}
