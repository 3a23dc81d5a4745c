// A user without a project: the first answer from a catalogue. The publisher builds and signs it with the same program, from a registry on
// loopback; the user installs from its folder, without any network.

import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPackageRegistry } from '../../support/package-registry.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const run = promisify(execFile);

const KETTLE = {
  'package.json': '{"name":"kettle","version":"2.1.0","license":"MIT","types":"./index.d.ts"}',
  'README.md':
    '# Kettle\n\nBoils water.\n\n## Timeouts\n\nPass `timeout` to limit how long `boil()` waits, in seconds. The default is 30.\n',
  'index.d.ts':
    '/** Boils water.\n * @param litres How much water there is.\n */\nexport declare function boil(litres: number, options?: { timeout?: number }): Promise<void>;\n',
};

const DEFINITION = 'sources:\n  - name: npm:kettle\n    startUrl: npm:kettle\n    versions: ["2.1.0"]\nlicense: MIT\n';

/** Each command with what it prints, for a program that is installed in `home`. */
export async function catalogSession(home: string): Promise<readonly string[]> {
  const folder = realpathSync(temporaryDirectory());
  const program = join(home, 'node_modules/.bin/pinakes');
  const pin = await publish(program, folder);
  const env = { HOME: realpathSync(temporaryDirectory()), PATH: process.env['PATH'] ?? '' };
  const parts: string[] = [];
  for (const [description, command] of STEPS) {
    const args = command.map((word) => word.replace('#PIN', `#${pin}`));
    const { stdout } = await run(program, args, { env, cwd: folder });
    const typed = command.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');
    const shown = stdout
      .trimEnd()
      .replaceAll(pin, 'PIN')
      .replaceAll(folder, '/home/you')
      .replaceAll(/\b20\d\d-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d)?/g, '2026-01-01');
    parts.push(`${description}\n\n\`\`\`\`console\n$ npx pinakes ${typed}\n${shown}\n\`\`\`\``);
  }
  return parts;
}

const STEPS: ReadonlyArray<readonly [description: string, command: readonly string[]]> = [
  ['Install an entry of a catalogue.', ['install', 'kettle', '--catalog', './public#PIN']],
  ['Ask it.', ['search', 'how long does boil wait', '--limit', '1']],
  ['Check every bundle against its signature.', ['catalog', 'verify', './public#PIN', '--bundles']],
];

/** In `public`; returns the pin of the catalogue. */
async function publish(program: string, folder: string): Promise<string> {
  const registry = await startPackageRegistry();
  registry.packages['kettle'] = { '2.1.0': KETTLE };
  const env = {
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    PINAKES_DATA_DIR: join(folder, 'publisher'),
    PINAKES_REGISTRY_NPM: `${registry.url}/npm`,
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const pinakes = (...args: readonly string[]) => run(program, [...args, '--json'], { env, cwd: folder });
  mkdirSync(join(folder, 'definitions'));
  writeFileSync(join(folder, 'definitions/kettle.yaml'), DEFINITION);
  try {
    await pinakes('catalog', 'key', './key.pem');
    const { stdout } = await pinakes('catalog', 'root', './public', '--root-keys', './key.pem', '--keys', './key.pem');
    await pinakes('catalog', 'build', './definitions', '--out', './public', '--keys', './key.pem');
    return (JSON.parse(stdout) as { pin: string }).pin;
  } finally {
    await registry.close();
  }
}
