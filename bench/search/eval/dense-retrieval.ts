// Vectors for an evaluation: the model of the tests, with the queries embedded in advance, so that a measured query does
// not include its own embedding.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOnnxEmbedder } from '../../../src/embed/onnx-embedder.ts';
import { createDenseRetriever, type DenseRetriever } from '../../../src/search/dense-retrieval.ts';
import type { Store } from '../../../src/store/port.ts';
import { minilmFolder } from '../../../test/support/minilm-folder.ts';
import { withVectorCache } from '../../support/vector-cache.ts';

export async function openDenseRetriever(
  store: Store,
  file: string,
  queries: readonly string[],
): Promise<DenseRetriever> {
  const models = mkdtempSync(join(tmpdir(), 'pinakes-models-'));
  const embedder = createOnnxEmbedder({ ...(await minilmFolder(models)), threads: 1 });
  const cached = withVectorCache(embedder, file);
  await cached.embed(queries, 'query');
  await embedder.close();
  rmSync(models, { recursive: true });
  return createDenseRetriever(store, { open: async () => cached, openPrevious: async () => null }, Date.now);
}
