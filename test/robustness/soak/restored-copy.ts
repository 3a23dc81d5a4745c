// Dumps the database of a library under load, restores it under another name, and has the program verify the copy.

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run, type Settings } from '../../support/program.ts';
import { createDatabase } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const runCommand = promisify(execFile);

/** What is wrong with the copy, or null. */
export async function problemOfRestoredCopy(url: string): Promise<string | null> {
  const file = join(temporaryDirectory(), 'library.dump');
  const copy = await createDatabase();
  try {
    await runCommand('pg_dump', ['--format=custom', `--file=${file}`, url]);
    await runCommand('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${copy.url}`, file]);
    const settings: Settings = { PINAKES_DATABASE_URL: copy.url, PINAKES_DATA_DIR: temporaryDirectory() };
    const { code, stdout, stderr } = await run(settings, ['verify', '--json']);
    const { violations } = JSON.parse(stdout || '{}') as { violations?: readonly unknown[] };
    return violations?.length === 0 ? null : `verify of a restored copy ended with ${code}: ${stdout}${stderr}`;
  } finally {
    await rm(file, { force: true });
    await copy.drop();
  }
}
