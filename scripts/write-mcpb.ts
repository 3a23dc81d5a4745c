// Builds an MCPB bundle, a zip archive that desktop assistants install: node scripts/write-mcpb.ts PACKED.tgz [OUT.mcpb]
// PACKED.tgz is the output of `npm run package`. The same package gives the same bytes.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { zipSync, type Zippable } from 'fflate';
import { mcpbManifest } from './packaging/mcpb-manifest.ts';

const [packed, out] = process.argv.slice(2);
if (packed === undefined)
  throw new Error(
    'usage: node scripts/write-mcpb.ts PACKED.tgz [OUT.mcpb], where PACKED.tgz is the output of npm run package',
  );
const manifest = mcpbManifest(JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')));
const file = out ?? `${manifest.name}-${manifest.version}.mcpb`;

const home = mkdtempSync(join(tmpdir(), 'pinakes-mcpb-'));
try {
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  const flags = [
    '--ignore-scripts',
    '--omit=dev',
    '--omit=peer',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--silent',
  ];
  execFileSync('npm', ['install', ...flags, resolve(packed)], { cwd: home });
  const entries: Zippable = { 'manifest.json': entry(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)) };
  const installed = readdirSync(join(home, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile() && !isUnneeded(found.name))
    .map((found) => join(found.parentPath, found.name))
    .sort();
  for (const path of installed) entries[relative(home, path).replaceAll('\\', '/')] = entry(readFileSync(path));
  const zip = zipSync(entries, { level: 9 });
  writeFileSync(file, zip);
  console.log(`${file}: ${installed.length} files, ${(zip.length / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(home, { recursive: true });
}

/** Dated with the earliest date that a zip archive can store. */
function entry(bytes: Uint8Array): [Uint8Array, { mtime: string }] {
  return [bytes, { mtime: '1980-01-01T00:00:00' }];
}

/** Not needed at run time: source maps, types, and npm's own list of packages. */
function isUnneeded(name: string): boolean {
  return /\.(map|d\.[cm]?ts)$/.test(name) || name === '.package-lock.json';
}
