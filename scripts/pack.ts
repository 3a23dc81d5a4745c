// npm run package: packs the built program together with npm-shrinkwrap.json, so that users get the packages that were tested,
// by hash, and not whatever the ranges of packages of packages allow that day. Arguments go to `npm pack`.
//
// The shrinkwrap is made from package-lock.json and exists only while packing: npm would prefer it to the lock. It has no
// development packages, because npm would install them for users too. The folder is private, so that `npm publish` rejects it: what is
// published is the file that this program packs.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

interface Lock {
  packages: Record<string, { readonly dev?: boolean; readonly devOptional?: boolean; devDependencies?: unknown }>;
}

const SHRINKWRAP = 'npm-shrinkwrap.json';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const retained = Object.entries(lock.packages).filter(
  ([, { dev, devOptional }]) => dev !== true && devOptional !== true,
);
lock.packages = Object.fromEntries(retained);
delete lock.packages['']?.devDependencies;
const manifest = readFileSync('package.json', 'utf8');
const { private: _, ...published } = JSON.parse(manifest) as { readonly private: true };
try {
  writeFileSync(SHRINKWRAP, `${JSON.stringify(lock, null, 2)}\n`);
  writeFileSync('package.json', `${JSON.stringify(published, null, 2)}\n`);
  process.exitCode = spawnSync('npm', ['pack', ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
} finally {
  writeFileSync('package.json', manifest);
  rmSync(SHRINKWRAP, { force: true });
}
