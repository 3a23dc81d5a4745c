// The supply-chain checks that are possible today, one test each; the others are listed with their reason.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runIn } from '../../support/planted-tree.ts';
import { packOnce, packPackage, type PackedPackage } from '../../support/packed-package.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { lock, manifest, PROJECT, projectFiles, readProject, type LockedPackage } from '../../support/project-files.ts';

const NOT_YET: Readonly<Record<string, string>> = {
  'sup-03': 'npm applies min-release-age to `npm ci` as well, and the lock holds a vite younger than a week',
  'sup-05': 'the gate is a script of our own; there are no hosted workflows that use actions',
  'sup-06': 'nothing is published yet',
  'sup-09': 'belongs to a release, and there is none yet',
  'sup-12':
    'images are not published yet: test/project/packaging holds user and root, the digest of the base is given when one is built',
};

/** Development packages with install scripts. None runs: .npmrc forbids it, and all work without. */
const REVIEWED_SCRIPTS = ['@swc/core', 'onnxruntime-node'];

const checks: Readonly<Record<string, readonly [sentence: string, check: () => void]>> = {
  'sup-01': ['the lock agrees with the manifest and is complete', checkLock],
  'sup-02': ['no install script runs, and the packages that have one are known', checkInstallScripts],
  'sup-04': ['every package comes from the registry, by exact version', checkExactVersions],
  'sup-07': ['the package holds what it must, and nothing else', checkPackedFiles],
  'sup-08': ['the package has no install script of its own', checkOwnScripts],
  'sup-10': ['no package is older than its last security fix', checkFloors],
  'sup-11': ['every dependency has a line that says why', checkReasons],
  'sup-13': ['the same sources give the same package, to the byte', checkReproducible],
  'sup-14': ['the README shows the exact name', checkName],
  'sup-15': ['no file holds a secret', checkSecrets],
};

const { checks: known } = JSON.parse(readProject('test/data/cases/supply-chain.json')) as {
  readonly checks: ReadonlyArray<{ readonly id: string }>;
};

const folder = temporaryDirectory();
const builds: { one?: PackedPackage; other?: PackedPackage } = {};
afterAll(() => rmSync(folder, { recursive: true }));

for (const [id, [sentence, check]] of Object.entries(checks)) test(`${id}: ${sentence}`, check);

test('every check is implemented or listed as pending', () => {
  expect(new Set(known.map(({ id }) => id))).toEqual(new Set([...Object.keys(checks), ...Object.keys(NOT_YET)]));
});

function lockedPackages() {
  return Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, locked]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), ...locked }));
}

function checkLock(): void {
  const root = lock.packages[''];
  expect(root?.dependencies).toEqual(manifest.dependencies);
  expect(root?.devDependencies).toEqual(manifest.devDependencies);
  expect(runIn(PROJECT, 'node scripts/complete-lock.ts --check').stdout).toBe('package-lock.json is complete\n');
  const unhashed = lockedPackages().filter(({ integrity }) => integrity === undefined);
  expect(unhashed.filter((locked) => locked.optional !== true || runsHere(locked))).toEqual([]);
  expect(readProject('.ci/run')).toMatch(/^prepare 'npm packages' npm ci /m);
  expect(runIn(`${PROJECT}/docs/site`, 'node ../../scripts/complete-lock.ts --check').status).toBe(0);
  expect(readProject('.ci/run')).toMatch(/^prepare 'documentation site packages' npm ci --prefix docs\/site /m);
}

/** On the CI platform, where the lock file was written, so only there every package must have its hash. */
function runsHere({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: LockedPackage): boolean {
  return os.includes('linux') && cpu.includes('x64') && libc.includes('glibc');
}

function checkInstallScripts(): void {
  expect(readProject('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  const scripted = lockedPackages().filter(({ hasInstallScript }) => hasInstallScript);
  expect(scripted.map(({ name }) => name)).toEqual(REVIEWED_SCRIPTS);
  expect(scripted.every(({ dev }) => dev)).toBe(true);
}

function checkExactVersions(): void {
  const { dependencies, devDependencies, optionalDependencies = {} } = manifest;
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
  // Without a URL, npm installs a package only from the configured registry.
  expect(lockedPackages().filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  expect(readProject('.npmrc')).toMatch(/^omit-lockfile-registry-resolved=true$/m);
  expect(readProject('docs/site/.npmrc')).toBe(readProject('.npmrc'));
  expect(readProject('docs/site/package-lock.json')).not.toContain('"resolved"');
}

function checkPackedFiles(): void {
  const { files } = packed('one');
  const program =
    /^(LICENSE|NOTICE|dist\/core\/vector\/word-vectors\.bin|package\.json|npm-shrinkwrap\.json|migrations\/.+\.sql|dist\/.+\.(js|d\.ts)|dist\/grammars\/(LICENSE|[\w-]+\.wasm)|dist\/program\/licenses\.txt|dist\/web\/(index\.html|browser-mode\.html|licenses\.txt|mark\.svg|assets\/[\w-]+\.(css|woff2)))$/;
  /** The README, what it links to, and nothing that runs. */
  const documents =
    /^([A-Z_]+\.md|docs\/(?!site\/)[\w./-]+\.md|docs\/llms\.txt|docs\/templates\/[\w.-]+\.txt|docs\/images\/search-light\.png|bench\/results\/[\w-]+\.json|test\/data\/quality\/baseline\/[\w-]+\.txt)$/;
  /** What the guides install from the package. */
  const deployment =
    /^packaging\/(Dockerfile|compose\.yaml|server\.json|grafana\/pinakes\.json|helm\/pinakes\/([\w-]+|templates\/[\w-]+)\.(yaml|tpl)|prometheus\/alerts\.yaml|systemd\/pinakes\.service)$/;
  const isAllowed = (file: string): boolean =>
    documents.test(file) || deployment.test(file) || (program.test(file) && !/\.test\./.test(file));
  expect(files.filter((file) => !isAllowed(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/core/index.js']));
}

function checkOwnScripts(): void {
  const forbidden = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
  expect(Object.keys(manifest.scripts).filter((name) => forbidden.includes(name))).toEqual([]);
}

function checkFloors(): void {
  const floors = {
    undici: [7, 24, 0],
    '@modelcontextprotocol/sdk': [1, 24, 0],
    'fast-xml-parser': [5, 7, 0],
    minimatch: [10, 2, 3],
  };
  for (const [name, floor] of Object.entries(floors)) {
    for (const { version = '' } of lockedPackages().filter((locked) => locked.name === name)) {
      expect(isAtLeast(version, floor), `${name} ${version}`).toBe(true);
    }
  }
  expect(isAtLeast('7.23.9', floors.undici)).toBe(false);
}

function isAtLeast(version: string, floor: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [at, least] of floor.entries()) {
    const part = parts[at] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

function checkReasons(): void {
  const reasons = readProject('docs/dependencies.md');
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies });
  expect(names.filter((name) => !reasons.includes(`| \`${name}\` `))).toEqual([]);
}

function checkReproducible(): void {
  expect(packed('one').integrity).toBe(packed('other').integrity);
}

function checkName(): void {
  expect(readProject('README.md')).toContain(`npx ${manifest.name} add `);
}

function checkSecrets(): void {
  const found = projectFiles()
    .filter((file) => !/^((docs\/site\/)?package-lock\.json$|test\/data\/(cases|corpora|golden|quality)\/)/.test(file))
    .flatMap((file) =>
      Array.from(readProject(file).matchAll(SECRET), ([secret]) => `${file}: ${secret.slice(0, 12)}…`),
    );
  expect(found).toEqual([]);
  expect(['ghp', '_', 'a1B2'.repeat(9)].join('').match(SECRET)).toHaveLength(1);
  expect(['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ').match(SECRET)).toHaveLength(1);
}

/** The one of all test files, and another that is built for the comparison. */
function packed(name: 'one' | 'other'): PackedPackage {
  builds[name] ??= name === 'one' ? packOnce() : packPackage(join(folder, name));
  return builds[name];
}

/** Amazon publishes one key as a sample; it is not valid. */
const SECRET =
  /\b(?:gh[pousr]_[A-Za-z\d]{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[abeprs]-[\w-]{20,}|A[KS]IA(?!IOSFODNN7EXAMPLE)[A-Z\d]{16}|AIza[\w-]{35}|npm_[A-Za-z\d]{36}|sk-[A-Za-z\d-]{32,})\b|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/g;
