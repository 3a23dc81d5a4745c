// kill -9 during a sync, then the same command again: the library is the same as without the kill.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLibrary, type Library } from '../../support/library.ts';
import { createProject, type InstalledPackage } from '../../support/project-folder.ts';
import { start } from '../../support/program.ts';

const packages = Array.from({ length: 8 }, (_, nth): InstalledPackage => {
  const guides = Array.from({ length: 12 }, (__, page) => [
    `docs/guide-${page}.md`,
    `# Guide ${page} of package ${nth}\n\nHow to configure part ${page} of package ${nth} in detail.\n`,
  ]);
  const declarations = `/** Opens part ${nth}. */\nexport declare function open${nth}(path: string): void;\n`;
  return {
    name: `pack-${nth}`,
    version: `${nth}.0.0`,
    files: {
      ...Object.fromEntries(guides),
      'README.md': `# Package ${nth}\n\nReads things.\n`,
      'index.d.ts': declarations,
    },
  };
});

const contentOf = (library: Library): Promise<readonly object[]> =>
  library.sql(`select s.name, v.label, p.url, p.content_hash, p.n_chunks from pages p join versions v on v.id = p.version_id
    join sources s on s.id = v.source_id where s.removed_at is null order by s.name, v.label, p.url`);

const projectFile = (root: string): string => readFileSync(join(root, '.pinakes/project.json'), 'utf8');

test('a sync that was killed at any point is completed by the next one', async () => {
  const root = createProject(packages);
  const whole = await createLibrary('sqlite');
  await whole.run('sync', root);
  const [expected, file] = [await contentOf(whole), projectFile(root)];
  await whole.remove();
  expect(expected.length).toBeGreaterThan(100);
  for (const afterLines of [0, 1, 5]) {
    const library = await createLibrary('sqlite', { PINAKES_LOG_LEVEL: 'warn' });
    const again = createProject(packages);
    let lines = 0;
    const running = start(library.settings, ['sync', again], (text) => {
      lines += text.split('\n').filter((line) => line.startsWith('[')).length;
      if (lines > afterLines) running.kill('SIGKILL');
    });
    expect(await running.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(await library.run('sync', again)).toMatchObject({ code: 0 });
    expect(await contentOf(library)).toEqual(expected);
    expect(projectFile(again)).toBe(file);
    expect(await library.run('verify')).toMatchObject({ code: 0 });
    await library.remove();
  }
}, 240_000);
