// Measures what each runtime dependency costs: packages, bytes, licence, CPU time to load. Also measures packages that were
// considered and rejected. Writes bench/results/dependencies.json, the source of the figures in docs/dependencies.md.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REJECTED = ['pino@10.4.0', 'fastify@5.12.0'];
const LOADS = 9;

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
const measuredSpecs = [...Object.entries(dependencies).map(([name, version]) => `${name}@${version}`), ...REJECTED];

const empty = median(Array.from({ length: LOADS }, () => cpuMs('', '.')));
const result = {
  command: 'node scripts/measure-dependencies.ts',
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  loadCpuMs: 'median of CPU time to import the package, above that of an empty program',
  emptyProgramCpuMs: empty,
  whole: wholeTree(),
  packages: measuredSpecs.map(measure),
};
writeFileSync('bench/results/dependencies.json', `${JSON.stringify(result, null, 2)}\n`);
for (const row of result.packages) console.log(Object.values(row).join('\t'));

function measure(spec: string) {
  const name = spec.slice(0, spec.lastIndexOf('@'));
  return installed([spec], (home) => {
    const loads = Array.from({ length: LOADS }, () => cpuMs(`await import('${entryOf(name)}')`, home));
    return {
      spec,
      license: (
        JSON.parse(readFileSync(join(home, 'node_modules', name, 'package.json'), 'utf8')) as { license: string }
      ).license,
      ...sizeOf(home),
      loadCpuMs: Math.max(0, median(loads) - empty),
    };
  });
}

/** Everything that an install adds to the package itself; what two dependencies share counts once. */
function wholeTree() {
  return installed(
    Object.entries(dependencies).map(([name, version]) => `${name}@${version}`),
    sizeOf,
  );
}

function installed<T>(specs: readonly string[], inspect: (home: string) => T): T {
  const home = mkdtempSync(join(tmpdir(), 'pinakes-dependency-'));
  try {
    writeFileSync(join(home, 'package.json'), '{"private":true}');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent'];
    execFileSync('npm', ['install', ...flags, ...specs], { cwd: home });
    return inspect(home);
  } finally {
    rmSync(home, { recursive: true });
  }
}

function sizeOf(home: string): { readonly packages: number; readonly megabytes: number } {
  const files = readdirSync(join(home, 'node_modules'), { recursive: true, withFileTypes: true });
  const manifests = files.filter((file) => file.name === 'package.json' && isPackageFolder(file.parentPath));
  const bytes = files.filter((file) => file.isFile()).map((file) => statSync(join(file.parentPath, file.name)).size);
  return {
    packages: manifests.length,
    megabytes: Math.round(bytes.reduce((sum, size) => sum + size, 0) / 10_000) / 100,
  };
}

/** The module that we import, if it is not the main entry. */
function entryOf(name: string): string {
  return { '@noble/hashes': `${name}/sha2.js`, entities: `${name}/decode`, unpdf: `${name}/pdfjs` }[name] ?? name;
}

function isPackageFolder(path: string): boolean {
  return /node_modules\/(@[^/]+\/)?[^/@]+$/.test(path);
}

function cpuMs(script: string, cwd: string): number {
  const report = `${script};const {user,system}=process.cpuUsage();process.stdout.write(String((user+system)/1000))`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', report], { cwd, encoding: 'utf8' }));
}

function median(numbers: readonly number[]): number {
  return Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN);
}
