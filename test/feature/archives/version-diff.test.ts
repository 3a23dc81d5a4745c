// What an upgrade of a package breaks: two releases from a registry, compared in one library.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLibrary, ENGINES, type Library } from '../../support/library.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { startPackageRegistry, type PackageRegistry } from '../../support/package-registry.ts';

let registry: PackageRegistry;
let library: Library;

const manifest = (version: string): string => JSON.stringify({ name: 'kettle', version, types: './index.d.ts' });

beforeAll(async () => {
  registry = await startPackageRegistry();
  registry.packages['kettle'] = {
    '1.4.0': {
      'package.json': manifest('1.4.0'),
      'README.md': '# Kettle\n\n## Whistle\n\nThe kettle whistles when its water boils, which is loud.\n',
      'index.d.ts':
        '/** Boils water for tea. */\nexport declare function boil(litres: number): void;\n/** Whistles. */\nexport declare function whistle(): void;\n',
    },
    '2.0.0': {
      'package.json': manifest('2.0.0'),
      'README.md': '# Kettle\n\n## Silence\n\nThe kettle is silent, and its lamp shows that the water boils.\n',
      'CHANGELOG.md':
        '# Changelog\n\n## 2.0.0\n\nThe whistle was removed; watch the lamp instead.\n\n## 1.4.0\n\nIt whistles.\n',
      'index.d.ts': '/** Boils water for tea. */\nexport declare function boil(litres: number, lamp: boolean): void;\n',
    },
  };
  registry.tags['latest'] = '2.0.0';
});

afterAll(() => registry.close());

afterEach(() => library.remove());

const PROGRAM = "import { boil, whistle } from 'kettle';\nboil(2);\nwhistle();\n";

test.each(ENGINES)('on %s two releases of a package are compared', async (engine) => {
  library = await createLibrary(engine, { PINAKES_REGISTRY_NPM: `${registry.url}/npm` });
  for (const version of ['1.4.0', '2.0.0'])
    expect(await library.run('add', `npm:kettle@${version}`, '--wait')).toMatchObject({ code: 0 });
  expect(await library.json('diff', 'npm:kettle', '1', 'latest')).toMatchObject({
    source: 'npm:kettle',
    before: '1.4.0',
    after: '2.0.0',
    counts: { removed: 1, signatures: 1, notes: 1 },
    isTruncated: false,
    removed: [{ symbol: 'whistle', path: 'index.d.ts' }],
    signatures: [{ symbol: 'boil', after: expect.stringContaining('lamp') }],
    sections: [{ heading: 'Kettle › Whistle', to: null }],
    notes: [{ heading: 'Changelog › 2.0.0', text: expect.stringContaining('lamp') }],
  });
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'project/src'), { recursive: true });
  writeFileSync(join(folder, 'project/src/tea.ts'), PROGRAM);
  const used = ['diff', 'npm:kettle', '1', '2', '--used-in', join(folder, 'project')];
  expect(await library.json(...used)).toMatchObject({
    counts: { uses: 2 },
    uses: [
      { file: 'src/tea.ts', line: 1, symbol: 'whistle', reason: 'removed' },
      { file: 'src/tea.ts', line: 2, symbol: 'boil', reason: 'changed' },
    ],
  });
  expect(await library.run(...used)).toMatchObject({
    stdout: expect.stringContaining('- src/tea.ts:2: boil takes other arguments'),
  });
  const same = await library.run('diff', 'npm:kettle', '2.0.0', 'latest');
  expect(same).toMatchObject({ code: 2, stderr: expect.stringContaining('are the same version') });
  const unknown = await library.run('diff', 'npm:kettle', '1.4.0', '3');
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no version 3') });
});
