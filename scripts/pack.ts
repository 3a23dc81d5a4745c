// npm run package: packs the built program together with npm-shrinkwrap.json, so that users get the packages that were tested,
// by hash, and not whatever the ranges of packages of packages allow that day. Arguments go to `npm pack`.
//
// The shrinkwrap is made from package-lock.json and exists only while packing: npm would prefer it to the lock. It has no
// development packages, because npm would install them for users too. The folder is private, so that `npm publish` rejects it: what is
// published is the file that this program packs.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Lock {
  packages: Record<string, { readonly dev?: boolean; readonly devOptional?: boolean; devDependencies?: unknown }>;
}

const SHRINKWRAP = 'npm-shrinkwrap.json';
const DIST = 'dist';

interface Manifest {
  readonly private: true;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

const IMPORTED = /(?:from|import\()\s*['"](\.[^'"]+)\.ts['"]/g;

/** Type declarations that an entry of the package reaches; a compiler of its users reads no others. */
function publicDeclarations({ exports: entries }: Manifest): ReadonlySet<string> {
  const queue = Object.values(entries).flatMap((entry) => (typeof entry === 'string' ? [] : [join(entry.types)]));
  const reached = new Set<string>();
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED))
      queue.push(join(dirname(file), `${path}.d.ts`));
  }
  return reached;
}

/** The next build writes them again, since what it knows about this one is removed too. */
function removeOtherDeclarations(manifest: Manifest): void {
  const reached = publicDeclarations(manifest);
  const all = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).map((file) => join(DIST, file));
  for (const file of all)
    if (file.endsWith('.tsbuildinfo') || (file.endsWith('.d.ts') && !reached.has(file))) rmSync(file);
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const retained = Object.entries(lock.packages).filter(
  ([, { dev, devOptional }]) => dev !== true && devOptional !== true,
);
lock.packages = Object.fromEntries(retained);
delete lock.packages['']?.devDependencies;
const manifest = readFileSync('package.json', 'utf8');
const { private: _, ...published } = JSON.parse(manifest) as Manifest;
removeOtherDeclarations(JSON.parse(manifest) as Manifest);
try {
  writeFileSync(SHRINKWRAP, `${JSON.stringify(lock, null, 2)}\n`);
  writeFileSync('package.json', `${JSON.stringify(published, null, 2)}\n`);
  process.exitCode = spawnSync('npm', ['pack', ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
} finally {
  writeFileSync('package.json', manifest);
  rmSync(SHRINKWRAP, { force: true });
}
