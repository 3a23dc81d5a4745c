// Copies what search reads of a SQLite library into an empty PostgreSQL store, so that both are asked about the same rows.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { batch, type ColumnType, type Engine, type Value } from '../../src/store/sql/engine/engine.ts';

/** What is read to answer by words. */
export const WORD_TABLES = [
  'sources',
  'versions',
  'pages',
  'chunks',
  'search_segments',
  'search_postings',
  'search_pages',
] as const;
export const VECTOR_TABLES = ['embeddings', 'vectors'] as const;
const PIECE = 500;
const TYPES: Readonly<Record<string, ColumnType>> = { INTEGER: 'int', TEXT: 'text', BLOB: 'bytes' };

export interface Copied {
  /** Names of sources; null for all. */
  readonly sites: readonly string[] | null;
  readonly tables: readonly string[];
  readonly onTable?: (table: string) => void;
}

export async function copyLibrary(
  directory: string,
  engine: Engine,
  { sites, tables, onTable }: Copied,
): Promise<void> {
  const from = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true });
  const filters = filtersOf(from, sites);
  for (const table of tables) {
    const columns = from.prepare(`select name, type from pragma_table_info('${table}')`).all() as unknown as Array<{
      name: string;
      type: string;
    }>;
    const names = columns.map(({ name }) => name);
    const insert = batch(
      Object.fromEntries(columns.map(({ name, type }) => [name, TYPES[type] ?? 'text'])),
      `insert into ${table} (${names.join(', ')}) overriding system value select ${names.map((name) => `r.${name}`).join(', ')} from {rows} r`,
    );
    let piece: Value[][] = [];
    const write = async (): Promise<void> => {
      const rows = piece;
      piece = [];
      await engine.transaction(async (tx) => {
        // The rows are whole; what they refer to is not copied in full.
        await tx.all(`set local session_replication_role = replica`);
        await tx.each(insert, rows);
      });
    };
    for (const row of from.prepare(`select ${names.join(', ')} from ${table} where ${filters(table)}`).iterate()) {
      piece.push(names.map((name) => (row[name] ?? null) as Value));
      if (piece.length === PIECE) await write();
    }
    await write();
    onTable?.(table);
  }
  from.close();
}

function filtersOf(from: DatabaseSync, sites: readonly string[] | null): (table: string) => string {
  if (sites === null) return () => 'true';
  const ids = (sql: string): string => {
    const rows = from.prepare(sql).all() as unknown as Array<{ id: number }>;
    return rows.map(({ id }) => id).join(', ') || '-1';
  };
  const names = sites.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
  const sources = ids(`select id from sources where name in (${names})`);
  const versions = ids(`select id from versions where source_id in (${sources})`);
  const segments = ids(`select id from search_segments where version_id in (${versions})`);
  const texts = `content_hash in (select content_hash from chunks where version_id in (${versions}))`;
  const byTable: Readonly<Record<string, string>> = {
    sources: `id in (${sources})`,
    versions: `source_id in (${sources})`,
    search_segments: `id in (${segments})`,
    search_postings: `segment_id in (${segments})`,
    spaces: 'true',
    embeddings: texts,
    vectors: texts,
  };
  return (table) => byTable[table] ?? `version_id in (${versions})`;
}
