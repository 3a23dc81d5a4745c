// Copies the rows of a backup into a new file with our schema. Triggers, views and whatever else the backup has are left behind: nothing
// that it contains is executed, and a table whose definition is not ours is rejected.

import { rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import {
  APPLIED,
  MIGRATIONS_TABLE,
  readMigrations,
  type AppliedMigration,
  type Migration,
} from '../sql/engine/migrations.ts';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

const selectSchema = `select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid`;
const selectTable = `select sql from backup.sqlite_master where type = 'table' and name = ?`;

/** Returns the name of a table that the backup lacks or defines in another way; null if the new file has all rows. */
export function copyLibrary(backup: string, file: string): string | null {
  rmSync(file, { force: true });
  // SQLite writes into a file that is empty, and keeps its mode: tokens, secrets of webhooks and private pages are for this user alone.
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    // The file is flushed as a whole when it is complete, and deleted if it is not.
    database.exec('pragma trusted_schema = off; pragma journal_mode = off; pragma synchronous = off');
    database.prepare('attach database ? as backup').run(`${pathToFileURL(backup).href}?mode=ro`);
    const schema = schemaOf(database);
    const tables = schema.filter(({ type }) => type === 'table');
    for (const { name, sql } of tables) {
      const found = database.prepare(selectTable).get(name) as { readonly sql: string } | undefined;
      if (found?.sql !== sql) return name;
    }
    for (const { sql } of tables) database.exec(sql);
    for (const { name } of tables) copyTable(database, name);
    // Numbers that were given out stay given out.
    database.exec(`delete from sqlite_sequence; insert into sqlite_sequence (name, seq)
      select name, seq from backup.sqlite_sequence where name in (select name from main.sqlite_master where type = 'table')`);
    // After the rows: an index is built faster at once, and the counts that triggers keep were copied.
    for (const { type, sql } of schema) if (type !== 'table') database.exec(sql);
    return null;
  } finally {
    database.close();
  }
}

/** Without the indexes of the backup, which might say something else. */
function copyTable(database: DatabaseSync, table: string): void {
  const columns = database.prepare('select name from pragma_table_info(?)').all(table) as Array<{ name: string }>;
  const list = columns.map(({ name }) => `"${name}"`).join(', ');
  database.exec(`insert into main."${table}" (${list}) select ${list} from backup."${table}" not indexed`);
}

/** The schema of this program, as of the migrations that the backup has. */
function schemaOf(database: DatabaseSync): readonly SchemaObject[] {
  const applied = database
    .prepare(APPLIED.replace('migrations', 'backup.migrations'))
    .all() as unknown as AppliedMigration[];
  const numbers = new Set(applied.map(({ number }) => number));
  const own = new DatabaseSync(':memory:');
  try {
    own.exec(MIGRATIONS_TABLE);
    for (const { sql } of readMigrations('sqlite').filter(({ number }: Migration) => numbers.has(number)))
      own.exec(sql);
    return own.prepare(selectSchema).all() as unknown as SchemaObject[];
  } finally {
    own.close();
  }
}
