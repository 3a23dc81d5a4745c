// npm run lock: adds the optional packages that npm omitted to package-lock.json, after which npm sorts the file.
// With --check it only reports.
//
// Tools ship one binary package per platform. Where a registry holds only some of them, `npm install` writes a lock
// without the others, and `npm ci` then refuses that lock. An entry with version and platform, but without a hash,
// fixes it: npm skips a package for another platform. An entry that npm wrote is never touched.

import { readFileSync, writeFileSync } from 'node:fs';

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  packages: Record<string, LockedPackage & Readonly<Record<string, unknown>>>;
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const file = 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;
const added = completeLock(lock);

if (added.length === 0) console.log(`${file} is complete`);
else if (process.argv.includes('--check')) {
  console.error(`${file} lacks ${added.length} optional packages, such as ${added[0]}: run npm run lock`);
  process.exitCode = 1;
} else {
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${file}: ${added.length} optional packages of other platforms added`);
}

function completeLock({ packages }: Lock): string[] {
  const names: string[] = [];
  for (const parent of Object.values(packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const key = `node_modules/${name}`;
      if (packages[key] !== undefined || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) continue;
      packages[key] = { version, ...platformOf(name), ...(parent.dev && { dev: true }), optional: true };
      names.push(name);
    }
  }
  return names;
}

function platformOf(name: string): Record<string, string[]> {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-');
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : [];
  return { ...(cpu.length && { cpu }), ...(libc.length && { libc }), ...(os.length && { os }) };
}
