// The embedding models on this machine: one folder each, saved atomically and verified against pinned hashes on load.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pinakesError } from '../core/model/errors.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { LocalModel, MANIFEST_FILE, MODEL_FILES } from '../core/vector/local-model.ts';
import type { ModelStore } from './port.ts';

export function createModelStore(models: string): ModelStore {
  return {
    async save(model, files) {
      await mkdir(models, { recursive: true });
      const staging = await mkdtemp(join(models, '.pulling-'));
      try {
        for (const [kind, name] of Object.entries(MODEL_FILES))
          await writeDurably(join(staging, name), files[kind as keyof typeof MODEL_FILES]);
        await writeDurably(join(staging, MANIFEST_FILE), new TextEncoder().encode(JSON.stringify(model, null, 2)));
        const target = join(models, model.name);
        await rm(target, { recursive: true, force: true });
        await rename(staging, target);
      } finally {
        await rm(staging, { recursive: true, force: true });
      }
    },
    async read(path) {
      try {
        return await readFile(path);
      } catch (error) {
        if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
        throw error;
      }
    },
    async list() {
      const names = await readdir(models).catch(() => [] as string[]);
      const loads = names.filter((name) => !name.startsWith('.')).map((name) => loadModel(models, name));
      const results = await Promise.allSettled(loads);
      return results.flatMap((result): LocalModel[] => (result.status === 'fulfilled' ? [result.value.model] : []));
    },
  };
}

/** Synced to disk before the folder gets its final name. */
async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

export interface LoadedModel {
  readonly folder: string;
  readonly model: LocalModel;
}

/** Throws `embed.model-missing`, or `embed.model-corrupt` if a file differs from the one that was pulled. */
export async function loadModel(models: string, name: string): Promise<LoadedModel> {
  const folder = join(models, name);
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw pinakesError('embed.model-missing', { model: name });
    throw error;
  });
  const parsed = LocalModel.safeParse(parseJson(text));
  if (!parsed.success)
    throw pinakesError('embed.model-corrupt', { model: name, reason: `${MANIFEST_FILE} is corrupt` });
  for (const [kind, file] of Object.entries(MODEL_FILES)) {
    const expected = parsed.data.files[kind as keyof typeof MODEL_FILES];
    if ((await hashFile(join(folder, file))) !== expected)
      throw pinakesError('embed.model-corrupt', { model: name, reason: `${file} is not the file that was pulled` });
  }
  return { folder, model: parsed.data };
}

/** Null if there is no such file. */
export async function hashFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}
