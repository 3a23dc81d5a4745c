// Finds symbols by the first letters of one of their names, which are written with the chunks.

import { symbolKey } from '../../../core/lexical/query/symbol-parts.ts';
import { splitSymbols, type OutlineEntry } from '../../../core/model/document.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import type { Pages, FoundSymbol } from '../../port/pages.ts';
import { hex } from '../engine/codec.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { OUTLINED_COLUMNS, toOutlinedChunk, type OutlinedChunkRow } from './page-row.ts';

/** After every name that starts with the prefix before it. */
const AFTER_ALL_NAMES = '\u{10ffff}';

const selectMatches = `select symbol_names.name, pages.url, ${OUTLINED_COLUMNS}
  from symbol_names join chunks on chunks.pk = symbol_names.chunk_pk
    join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key
  where symbol_names.version_id = $1 and symbol_names.name >= $2 and symbol_names.name < $3
  order by symbol_names.name, symbol_names.chunk_pk limit $4`;

const selectOutlines = batch(
  { version_id: 'int', url_key: 'bytes' },
  `select documents.url_key, documents.outline from documents, {rows} r
   where documents.version_id = r.version_id and documents.url_key = r.url_key`,
);

interface MatchRow extends OutlinedChunkRow {
  readonly url: string;
}

export function createFindSymbols(reader: Executor): Pages['symbols'] {
  return async (version, prefix, limit) => {
    const key = symbolKey(prefix);
    const rows = await reader.all<MatchRow>(selectMatches, [version, key, `${key}${AFTER_ALL_NAMES}`, limit]);
    const outlines = await outlinesOf(reader, version, rows);
    return rows.map((row): FoundSymbol => {
      const outline = outlines.get(hex(row.url_key)) ?? [];
      return { url: row.url as PageUrl, chunk: toOutlinedChunk(row), outline };
    });
  };
}

/** Only pages with symbols that share a chunk: any other symbol has the chunk's anchor. */
async function outlinesOf(
  reader: Executor,
  version: VersionId,
  rows: readonly MatchRow[],
): Promise<ReadonlyMap<string, readonly OutlineEntry[]>> {
  const sharing = rows.filter(({ symbol }) => symbol !== null && splitSymbols(symbol).length > 1);
  const keys = new Map(sharing.map((row) => [hex(row.url_key), row.url_key]));
  const found = await reader.each<{ readonly url_key: Uint8Array; readonly outline: string }>(
    selectOutlines,
    Array.from(keys.values(), (key) => [version, key]),
  );
  return new Map(found.map((row) => [hex(row.url_key), JSON.parse(row.outline) as OutlineEntry[]]));
}
