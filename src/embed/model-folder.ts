// Reads a model that was pulled: its manifest, and its files checked against the hashes that were pinned.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pinakesError } from '../core/model/errors.ts';
import { LocalModel, MANIFEST_FILE, MODEL_FILES } from '../core/vector/local-model.ts';

export interface ReadModel {
  readonly folder: string;
  readonly model: LocalModel;
}

/** Raises `embed.model-missing`, or `embed.model-broken` where a file is not the one that was pulled. */
export async function readModelFolder(models: string, name: string): Promise<ReadModel> {
  const folder = join(models, name);
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw pinakesError('embed.model-missing', { model: name });
    throw error;
  });
  const parsed = LocalModel.safeParse(parseJson(text));
  if (!parsed.success) throw pinakesError('embed.model-broken', { model: name, why: `${MANIFEST_FILE} is damaged` });
  for (const [kind, file] of Object.entries(MODEL_FILES)) {
    const wanted = parsed.data.files[kind as keyof typeof MODEL_FILES];
    if ((await hashOfFile(join(folder, file))) !== wanted)
      throw pinakesError('embed.model-broken', { model: name, why: `${file} is not the file that was pulled` });
  }
  return { folder, model: parsed.data };
}

/** Null where there is no such file. */
export async function hashOfFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // fails the schema, which names the error
  }
}
