// Migrates a database in a separate process, which may kill itself after its nth statement.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { PostgresDriver } from '../../../src/store/postgres/driver.ts';
import { migratePostgres } from '../../../src/store/postgres/migrate-postgres.ts';
import { createPgDriver } from '../../../src/store/postgres/pg-driver.ts';
import { readMigrations, type Migration } from '../../../src/store/sql/engine/migrations.ts';
import { migrateSqlite } from '../../../src/store/sqlite/migrate-sqlite.ts';
import type { TestDatabase } from '../../support/test-database.ts';

const task = JSON.parse(process.argv[2] ?? '') as {
  location: TestDatabase;
  /** Migrations after those of the program. */
  more: readonly Migration[];
  dieAfter: number | null;
  startAt: number;
};
const migrations = [...readMigrations(task.location.engine), ...task.more];
let statements = 0;
let firstCommit: number | null = null;

function onStatement(sql: string): void {
  statements += 1;
  if (sql.trim() === 'commit') firstCommit ??= statements;
  if (statements !== task.dieAfter) return;
  writeSync(1, firstCommit !== null ? 'killed after the commit\n' : 'killed before the commit\n');
  process.kill(process.pid, 'SIGKILL');
}

/** A migration is one call: it is split into statements here, so that a kill can happen between them. Those of a trigger are indented. */
function countSqliteStatements(): void {
  const prototype: { exec: (this: DatabaseSync, sql: string) => void } = DatabaseSync.prototype;
  const { exec } = prototype;
  prototype.exec = function execOneByOne(sql) {
    for (const statement of sql.split(/;[ \t]*(?:\n(?! )|$)|; (?=begin)/)) {
      if (statement.trim() === '') continue;
      exec.call(this, statement);
      onStatement(statement);
    }
  };
}

function withCounting(driver: PostgresDriver): PostgresDriver {
  return {
    ...driver,
    async connect(timeLimit) {
      const session = await driver.connect(timeLimit);
      return {
        ...session,
        async query<Row>(sql: string, values: Parameters<typeof session.query>[1]) {
          const rows = await session.query<Row>(sql, values);
          onStatement(sql);
          return rows;
        },
        async execute(sql: string) {
          await session.execute(sql);
          onStatement(sql);
        },
      };
    },
  };
}

while (Date.now() < task.startAt);
if (task.location.engine === 'sqlite') {
  countSqliteStatements();
  migrateSqlite(join(task.location.directory, 'pinakes.db'), migrations);
} else {
  const driver = createPgDriver({ url: task.location.url, poolSize: 1, onError: () => undefined });
  await migratePostgres(withCounting(driver), migrations).finally(() => driver.close());
}
writeSync(1, `finished, first commit at ${firstCommit}\n`);
