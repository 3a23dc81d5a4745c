// The model of the tests as `pinakes model pull` leaves it.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalModel, MANIFEST_FILE, MODEL_FILES } from '../../src/core/vector/local-model.ts';
import { readModelFolder, type ReadModel } from '../../src/embed/model-folder.ts';
import { bringModel, minilm } from './fetch-test-model.ts';

export async function minilmFolder(models: string): Promise<ReadModel> {
  const hub = await bringModel();
  const folder = join(models, 'minilm');
  mkdirSync(folder, { recursive: true });
  for (const kind of ['model', 'tokenizer', 'tokenizerConfig'] as const)
    cpSync(join(hub, minilm.paths[kind]), join(folder, MODEL_FILES[kind]));
  const { summary: _summary, licence: _licence, from: _from, paths: _paths, ...about } = minilm;
  writeFileSync(join(folder, MANIFEST_FILE), JSON.stringify(LocalModel.parse(about)));
  return readModelFolder(models, 'minilm');
}
