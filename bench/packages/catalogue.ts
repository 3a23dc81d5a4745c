// node bench/packages/catalogue.ts NODE [COUNT] [FOLDER]: builds packages of catalogue/ (all by default, otherwise COUNT of them, spread over the
// alphabet) and signs them, builds them again from an empty folder with the program NODE, another version of Node, and compares index ids
// and hashes. Then it installs up to 50 entries from the folder of the catalogue into an empty library. Run `npm run build` before. What was
// stopped goes on in the same FOLDER; then the seconds are those of the last part.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CatalogEntry } from '../../src/core/catalog/catalog-files.ts';
import { publishedEntries } from '../../src/library/catalog/publish-catalog.ts';
import { writeResult } from '../support/write-result.ts';

const INSTALLED = 50;
const root = join(import.meta.dirname, '../..');
const program = process.env['TEST_PROGRAM'] ?? join(root, 'dist/program/main.js');
const [otherNode, limit, chosen] = process.argv.slice(2);
if (otherNode === undefined) throw new Error('usage: node bench/packages/catalogue.ts NODE [COUNT] [FOLDER]');
const folder = chosen === undefined ? mkdtempSync(join(tmpdir(), 'pinakes-bench-catalogue-')) : resolve(chosen);
const definitions = join(folder, 'definitions');
mkdirSync(definitions, { recursive: true });
const files = readdirSync(join(root, 'catalogue/packages')).toSorted();
const step = Math.ceil(files.length / Number(limit ?? files.length));
for (const file of files.filter((_, nth) => nth % step === 0))
  cpSync(join(root, 'catalogue/packages', file), join(definitions, file));

try {
  const key = join(folder, 'key.pem');
  if (!existsSync(key)) run(process.execPath, 'catalog', 'key', key);
  const first = await build(process.execPath, 'first', key);
  const second = await build(otherNode, 'second', key);
  const byName = new Map(second.entries.map((entry) => [`${entry.name}@${entry.version}`, entry]));
  const bundled = first.entries.filter(({ bundle }) => bundle !== null);
  const different = bundled.filter(({ name, version, bundle }) => {
    const other = byName.get(`${name}@${version}`)?.bundle;
    return other?.indexId !== bundle?.indexId || other?.sha256 !== bundle?.sha256;
  });
  const names = bundled.slice(0, INSTALLED).map(({ name, version }) => `${name}@${version}`);
  rmSync(join(folder, 'library'), { recursive: true, force: true });
  const started = performance.now();
  run(process.execPath, 'install', ...names, '--catalog', first.reference);
  const installSeconds = (performance.now() - started) / 1000;
  writeResult('catalogue', {
    packages: readdirSync(definitions).length,
    entries: first.entries.length,
    bundles: bundled.length,
    failed: first.failed,
    bytes: bundled.reduce((sum, { bundle }) => sum + (bundle?.bytes ?? 0), 0),
    buildSeconds: Number(first.seconds.toFixed(1)),
    otherNode: execFileSync(otherNode, ['--version'], { encoding: 'utf8' }).trim(),
    rebuildSeconds: Number(second.seconds.toFixed(1)),
    equal: bundled.length - different.length,
    different: different.map(({ name, version }) => `${name}@${version}`),
    installed: names.length,
    installSeconds: Number(installSeconds.toFixed(1)),
  });
} finally {
  if (chosen === undefined) rmSync(folder, { recursive: true });
}

interface Built {
  readonly entries: readonly CatalogEntry[];
  readonly failed: readonly string[];
  readonly seconds: number;
  readonly reference: string;
}

async function build(node: string, name: string, key: string): Promise<Built> {
  const out = join(folder, name);
  const { pin } = run(process.execPath, 'catalog', 'root', out, '--root-keys', key, '--keys', key) as { pin: string };
  const started = performance.now();
  const built = run(node, 'catalog', 'build', definitions, '--out', out, '--keys', key) as { violations: string[] };
  const seconds = (performance.now() - started) / 1000;
  const entries = await publishedEntries({ files: { read: async (file) => readFileSync(join(out, file)) } });
  return { entries, failed: built.violations, seconds, reference: `${out}#${pin}` };
}

/** The result of a command. One that builds fails if an entry could not be built, and still has a result. */
function run(node: string, ...args: readonly string[]): unknown {
  const env = { ...process.env, PINAKES_DATA_DIR: join(folder, 'library'), PINAKES_OWNER_MODE: 'in-process' };
  const { stdout, status } = spawnSync(node, [program, ...args, '--json'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  });
  if (stdout === '') throw new Error(`pinakes ${args.slice(0, 2).join(' ')} failed with ${status}`);
  return JSON.parse(stdout);
}
