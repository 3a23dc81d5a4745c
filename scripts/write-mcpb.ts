// Makes an MCPB bundle, a zip archive that desktop assistants install: node scripts/write-mcpb.ts PACKED.tgz [OUT.mcpb]
// PACKED.tgz is what `npm run package` wrote. The same package gives the same bytes.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { zipSync, type Zippable } from 'fflate';
import { mcpbManifest } from './packaging/mcpb-manifest.ts';

const [packed, out] = process.argv.slice(2);
if (packed === undefined) throw new Error('give the file that npm run package wrote');
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
    .filter((found) => found.isFile() && !isLeftOut(found.name))
    .map((found) => join(found.parentPath, found.name))
    .sort();
  for (const path of installed) entries[relative(home, path).replaceAll('\\', '/')] = entry(readFileSync(path));
  const zip = zipSync(entries, { level: 9 });
  writeFileSync(file, zip);
  console.log(`${file}: ${installed.length} files, ${(zip.length / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(home, { recursive: true });
}

/** Dated as early as a zip archive can say. */
function entry(bytes: Uint8Array): [Uint8Array, { mtime: string }] {
  return [bytes, { mtime: '1980-01-01T00:00:00' }];
}

/** What a program does not read: maps, types, and the list that npm keeps for itself. */
function isLeftOut(name: string): boolean {
  return /\.(map|d\.[cm]?ts)$/.test(name) || name === '.package-lock.json';
}
