// The migrated database that all tests of a run copy: a copy takes a quarter of the time, and most test files need one.

import pg from 'pg';
import { nameOfRun } from './temporary-folder.ts';

/** Its name; a process that is not part of a run has its own. */
export function templateOfRun(): string {
  return `template_${nameOfRun() ?? `process_${process.pid}`}`.toLowerCase().replaceAll(/\W/g, '_');
}

/** The first test file that needs the template creates it, and the others wait. */
export async function createOnce(url: string, create: () => Promise<string>): Promise<void> {
  const template = templateOfRun();
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query(`select pg_advisory_lock(hashtext('${template}'))`);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await admin.query(`alter database ${await create()} rename to ${template}`);
  } finally {
    await admin.end();
  }
}

/** Called by Vitest after the last test. */
export async function teardown(): Promise<void> {
  const connectionString = process.env['PINAKES_TEST_POSTGRES_URL'];
  if (connectionString === undefined) return;
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  await admin.query(`drop database if exists ${templateOfRun()}`).finally(() => admin.end());
}
