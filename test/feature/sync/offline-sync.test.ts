// `pinakes sync` without a network: addresses in lockfiles and packages are never contacted.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLibrary } from '../../support/library.ts';
import { needing } from '../../support/needs.ts';
import { start } from '../../support/program.ts';
import { createProject } from '../../support/project-folder.ts';

const NAMESPACES = needing('network namespaces', spawnSync('unshare', ['-rn', 'true']).status === 0);

/** Runs a command where no address can be reached, and prints what was sent all the same. */
const OFFLINE = ['unshare', '-rn', 'sh', '-c', '"$@"; code=$?; cat /proc/net/snmp >&2; exit $code', 'sh'];

/** A line with names is followed by one with the numbers. */
function counted(snmp: string, protocol: string, name: string): number {
  const [names = '', numbers = ''] = snmp.split('\n').filter((line) => line.startsWith(`${protocol}: `));
  return Number(numbers.split(' ')[names.split(' ').indexOf(name)]);
}

test(
  '[project-13] a sync in an empty network namespace opens no connection and sends no datagram',
  NAMESPACES,
  async () => {
    const home = 'https://registry.example/';
    const root = createProject([
      {
        name: 'kettle',
        version: '1.0.0',
        files: {
          'README.md': `# Kettle\n\n![logo](${home}logo.png) Boil water, as [the site](${home}docs) explains in detail.\n`,
          'docs/index.md': `---\nredirect: ${home}\n---\n\n# Guide\n\nFill the kettle before it is switched on.\n`,
          'index.d.ts': `/** {@link ${home}} boils water. */\nexport declare function boil(): void;\n`,
        },
      },
    ]);
    const lockfile = join(root, 'package-lock.json');
    const resolved = `"resolved":"${home}kettle.tgz","version":"1.0.0"`;
    writeFileSync(lockfile, readFileSync(lockfile, 'utf8').replace('"version":"1.0.0"', resolved));
    const library = await createLibrary('sqlite');
    const { code, stdout, stderr } = await start(library.settings, ['sync', root], undefined, OFFLINE).ended;
    expect(code).toBe(0);
    expect(stdout).toContain('1 package of package-lock.json in the library, with 3 pages');
    expect(counted(stderr, 'Tcp', 'ActiveOpens')).toBe(0);
    expect(counted(stderr, 'Udp', 'OutDatagrams')).toBe(0);
    await library.remove();
  },
);
