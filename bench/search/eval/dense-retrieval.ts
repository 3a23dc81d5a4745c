// Vectors for an evaluation: the model of the tests, with the questions embedded beforehand, so that a measured question does
// not pay for its own vector.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOnnxEmbedder } from '../../../src/embed/onnx-embedder.ts';
import { createDenseLook, type DenseLook } from '../../../src/search/dense-retrieval.ts';
import type { Store } from '../../../src/store/port.ts';
import { minilmFolder } from '../../../test/support/minilm-folder.ts';
import { withKeptVectors } from '../../support/vector-cache.ts';

export async function openDenseLook(store: Store, file: string, queries: readonly string[]): Promise<DenseLook> {
  const models = mkdtempSync(join(tmpdir(), 'pinakes-models-'));
  const embedder = createOnnxEmbedder({ ...(await minilmFolder(models)), threads: 1 });
  const kept = withKeptVectors(embedder, file);
  await kept.embed(queries, 'query');
  await embedder.close();
  rmSync(models, { recursive: true });
  return createDenseLook(store, { open: async () => kept, openFormer: async () => null }, Date.now);
}
