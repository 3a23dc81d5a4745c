// The local model, compared with vectors that another implementation computed from the same files.

import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MODEL_FILES } from '../../../src/core/vector/local-model.ts';
import { loadModel } from '../../../src/embed/model-store.ts';
import { createOnnxEmbedder } from '../../../src/embed/onnx-embedder.ts';
import type { Embedder } from '../../../src/embed/port.ts';
import { minilmFolder } from '../../support/minilm-folder.ts';
import { cosine, minilmReference } from './minilm-reference.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const models = temporaryDirectory();
let embedder: Embedder;

beforeAll(async () => {
  embedder = createOnnxEmbedder({ ...(await minilmFolder(models)), threads: 2 });
});

afterAll(async () => {
  await embedder.close();
  rmSync(models, { recursive: true });
});

async function vectorsOf(texts: readonly string[]): Promise<Float32Array[]> {
  const outcomes = await embedder.embed(texts, 'query');
  return outcomes.map((outcome) => (outcome.kind === 'embedded' ? outcome.vector : new Float32Array(0)));
}

test.each(minilmReference().map(({ text, vector }) => [text.slice(0, 40), text, vector] as const))(
  'the vector of "%s" matches the reference',
  async (_, text, reference) => {
    const [vector] = await vectorsOf([text]);
    expect(vector).toHaveLength(384);
    expect(cosine(vector!, vector!)).toBeCloseTo(1, 5);
    expect(cosine(vector!, reference)).toBeGreaterThan(0.999);
  },
);

test('a text has the same vector alone and in a batch, in input order', async () => {
  const texts = minilmReference().map(({ text }) => text);
  const batch = Array.from({ length: 60 }, (_, i) => `${texts[i % texts.length] ?? ''}${' and more'.repeat(i)}`);
  const together = await vectorsOf(batch);
  for (const at of [0, 7, 31, 59]) {
    const [alone] = await vectorsOf([batch[at] ?? '']);
    expect(cosine(alone!, together[at]!)).toBeCloseTo(1, 5);
  }
});

test('long, empty and malformed texts are embedded too', async () => {
  const outcomes = await embedder.embed(
    ['', 'a'.repeat(100_000), '\0\u{e0041}\ud800', 'x y '.repeat(50_000)],
    'passage',
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(['embedded', 'embedded', 'embedded', 'embedded']);
});

test('a model with a modified file is rejected, and so is one that was never pulled', async () => {
  await expect(loadModel(models, 'absent')).rejects.toMatchObject({ code: 'embed.model-missing' });
  const broken = join(models, 'broken');
  cpSync(join(models, 'minilm'), broken, { recursive: true });
  writeFileSync(join(broken, MODEL_FILES.tokenizer), '{}');
  await expect(loadModel(models, 'broken')).rejects.toMatchObject({ code: 'embed.model-corrupt' });
});

test('an aborted call rejects immediately', async () => {
  const stop = new AbortController();
  const embedding = embedder.embed(
    Array.from({ length: 200 }, (_, i) => `${i} ${'words '.repeat(200)}`),
    'passage',
    stop.signal,
  );
  stop.abort(new Error('enough'));
  await expect(embedding).rejects.toThrow('enough');
});
