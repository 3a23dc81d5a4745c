// Two processes on one PostgreSQL, on machines of which only one has the folder.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLibrary, type Library } from '../../support/library.ts';
import { run, type RunningProgram } from '../../support/program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const folder = temporaryDirectory();
const HERE = { PINAKES_FILES_MACHINE: 'here' } as const;
/** It may read another folder only, as if this one were on another disk. */
const REMOTE = { PINAKES_FILES_MACHINE: 'remote', PINAKES_FILES_ROOTS: temporaryDirectory() } as const;
let library: Library;
let other: RunningProgram;

beforeAll(async () => {
  library = await createLibrary('postgres', HERE);
  other = library.startAs(REMOTE, 'worker');
  await waitUntil('the other worker is connected', async () => {
    const rows = await library.sql(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return rows.length > 0;
  });
});
afterAll(async () => {
  other.kill('SIGTERM');
  await other.ended;
  await library.remove();
});

test('a folder is crawled by processes of the machine that added it (finding B13)', async () => {
  for (let nth = 1; nth <= 3; nth += 1) {
    const docs = join(folder, `docs-${nth}`);
    mkdirSync(docs);
    for (const name of ['a', 'b', 'c'])
      writeFileSync(
        join(docs, `${name}.md`),
        `# Page ${name}\n\n${`It describes ${name} of folder ${nth}. `.repeat(20)}\n`,
      );
    const added = await library.run('add', docs, '--wait');
    expect(added.stderr + added.stdout).toContain('3 new');
    expect(added.code).toBe(0);
  }
  const refused = await run({ ...library.settings, ...REMOTE }, ['recrawl', 'docs-1']);
  expect(refused.stderr).toContain('The files of the source docs-1 are on the machine here');
});
