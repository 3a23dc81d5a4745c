// Copies the tables that search reads from a SQLite library into an empty PostgreSQL store, so that both search the same rows.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { batch, type ColumnType, type Engine, type Value } from '../../src/store/sql/engine/engine.ts';

/** The tables that lexical search reads. */
export const LEXICAL_TABLES = [
  'sources',
  'versions',
  'pages',
  'chunks',
  'search_segments',
  'search_postings',
  'search_pages',
] as const;
export const VECTOR_TABLES = ['embeddings', 'vectors'] as const;
const BATCH_SIZE = 500;
const TYPES: Readonly<Record<string, ColumnType>> = { INTEGER: 'int', TEXT: 'text', BLOB: 'bytes' };

export interface CopyOptions {
  /** Names of sources; null for all. */
  readonly sites: readonly string[] | null;
  readonly tables: readonly string[];
  readonly onTable?: (table: string) => void;
}

export async function copyLibrary(
  directory: string,
  engine: Engine,
  { sites, tables, onTable }: CopyOptions,
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
    let pending: Value[][] = [];
    const write = async (): Promise<void> => {
      const rows = pending;
      pending = [];
      await engine.transaction(async (tx) => {
        // Foreign keys are not checked, because not every referenced table is copied in full.
        await tx.all(`set local session_replication_role = replica`);
        await tx.each(insert, rows);
      });
    };
    for (const row of from.prepare(`select ${names.join(', ')} from ${table} where ${filters(table)}`).iterate()) {
      pending.push(names.map((name) => (row[name] ?? null) as Value));
      if (pending.length === BATCH_SIZE) await write();
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
