// Writes the definitions of catalogue/: of each package of packages.txt the latest release and the last one of the major version before, with
// its license, from the registry of npm; of each site of sites.txt its start, and whether `bench/packages/catalogue-sites.ts` crawled it by
// this definition. Run it to take up new releases; with `sites` as its argument it writes those alone.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../src/core/model/version-verdict.ts';
import { readNpmConfig } from '../src/platform/npm-config.ts';

const folder = join(import.meta.dirname, '../catalogue');
const { registryOf } = readNpmConfig(process.env);

const lines = (file: string): readonly string[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

interface Packument {
  readonly 'dist-tags': { readonly latest: string };
  readonly versions: Readonly<Record<string, { readonly license?: unknown }>>;
}

const CONCURRENCY = 8;

const kinds = process.argv[2] === 'sites' ? ['sites'] : ['packages', 'sites'];
for (const kind of kinds) {
  rmSync(join(folder, kind), { recursive: true, force: true });
  mkdirSync(join(folder, kind));
}
const queue = kinds.includes('packages') ? [...lines('packages.txt')] : [];
await Promise.all(Array.from({ length: CONCURRENCY }, writePackages));
const { tested } = JSON.parse(readFileSync(join(folder, '../bench/results/catalogue-sites.json'), 'utf8')) as {
  tested: readonly string[];
};
for (const line of lines('sites.txt')) writeSite(line);

async function writePackages(): Promise<void> {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) await writePackage(name);
}

async function writePackage(name: string): Promise<void> {
  const response = await fetch(`${registryOf(name).replace(/\/$/, '')}/${name.replace('/', '%2f')}`);
  if (!response.ok) throw new Error(`${name}: status ${response.status}`);
  const about = (await response.json()) as Packument;
  const { latest } = about['dist-tags'];
  const previous = releaseBefore(Object.keys(about.versions), latest);
  const versions = previous === null ? [latest] : [previous, latest];
  const license = about.versions[latest]?.license;
  const text = [
    'sources:',
    `  - name: ${JSON.stringify(`npm:${name}`)}`,
    `    startUrl: ${JSON.stringify(`npm:${name}`)}`,
    `    versions: ${JSON.stringify(versions)}`,
    ...(typeof license === 'string' ? [`license: ${JSON.stringify(license)}`] : []),
    '',
  ].join('\n');
  writeFileSync(join(folder, 'packages', `${name.replace('@', '').replace('/', '-')}.yaml`), text);
}

/** The last release of the major version before, otherwise the last one before; null for the first release. */
function releaseBefore(versions: readonly string[], latest: string): string | null {
  const releases = versions
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version) && compareVersions(version, latest) < 0)
    .toSorted(compareVersions);
  const major = Number(latest.split('.')[0]);
  return releases.findLast((version) => Number(version.split('.')[0]) < major) ?? releases.at(-1) ?? null;
}

function writeSite(line: string): void {
  const [name = '', startUrl = '', exclude] = line.split(' ');
  const settings =
    exclude === undefined ? [] : ['    settings:', `      exclude: ${JSON.stringify(exclude.split(','))}`];
  const isTested = `isTested: ${tested.includes(name)}`;
  const text = ['sources:', `  - name: ${name}`, `    startUrl: ${startUrl}`, ...settings, isTested, ''].join('\n');
  writeFileSync(join(folder, 'sites', `${name}.yaml`), text);
}
