// The test model as `pinakes models pull` installs it.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalModel, MANIFEST_FILE, MODEL_FILES } from '../../src/core/vector/local-model.ts';
import { loadModel, type LoadedModel } from '../../src/embed/model-store.ts';
import { fetchTestModel, minilm } from './fetch-test-model.ts';

export async function minilmFolder(models: string): Promise<LoadedModel> {
  const hub = await fetchTestModel();
  const folder = join(models, 'minilm');
  mkdirSync(folder, { recursive: true });
  for (const kind of ['model', 'tokenizer', 'tokenizerConfig'] as const)
    cpSync(join(hub, minilm.paths[kind]), join(folder, MODEL_FILES[kind]));
  const { summary: _summary, license: _licence, from: _from, paths: _paths, ...about } = minilm;
  writeFileSync(join(folder, MANIFEST_FILE), JSON.stringify(LocalModel.parse(about)));
  return loadModel(models, 'minilm');
}
