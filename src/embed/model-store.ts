// The models on this machine: a folder each, put there whole or not at all.

import { mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_FILE, MODEL_FILES, type LocalModel } from '../core/vector/local-model.ts';
import { readModelFolder } from './model-folder.ts';
import type { ModelShelf } from './port.ts';

export function createModelShelf(models: string): ModelShelf {
  return {
    async keep(model, files) {
      await mkdir(models, { recursive: true });
      const beside = await mkdtemp(join(models, '.pulling-'));
      try {
        for (const [kind, name] of Object.entries(MODEL_FILES))
          await writeWhole(join(beside, name), files[kind as keyof typeof MODEL_FILES]);
        await writeWhole(join(beside, MANIFEST_FILE), new TextEncoder().encode(JSON.stringify(model, null, 2)));
        const place = join(models, model.name);
        await rm(place, { recursive: true, force: true });
        await rename(beside, place);
      } finally {
        await rm(beside, { recursive: true, force: true });
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
      const read = names.filter((name) => !name.startsWith('.')).map((name) => readModelFolder(models, name));
      const done = await Promise.allSettled(read);
      return done.flatMap((result): LocalModel[] => (result.status === 'fulfilled' ? [result.value.model] : []));
    },
  };
}

/** On the disk before it has its name. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
