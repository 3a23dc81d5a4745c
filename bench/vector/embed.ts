// node bench/vector/embed.ts [TEXTS]: texts per second of CPU time of the local embedder, against onnxruntime alone on the same
// tokens of the same texts, with the best batch size that we found for it. Texts are paragraphs of this project's own documents. All
// alternate over a few texts at a time, each going first as often as the others, so that other load on the machine affects all
// of them. The first texts of each are a warm-up.

import { readdirSync, readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passageText } from '../../src/core/vector/passage-text.ts';
import { MODEL_FILES } from '../../src/core/vector/local-model.ts';
import { createOnnxEmbedder } from '../../src/embed/onnx-embedder.ts';
import { loadOnnxPackages } from '../../src/embed/onnx-model.ts';
import { minilmFolder } from '../../test/support/minilm-folder.ts';
import { writeResult } from '../support/write-result.ts';

const TEXTS = Number(process.argv[2] ?? 240);
const CHARS = 1200;
const ROUNDS = 3;
const BATCH_SIZE = 24;

function texts(): string[] {
  const root = join(import.meta.dirname, '..', '..');
  const folders = ['docs', 'docs/decisions', 'docs/reference', '.'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(root, folder, name)),
  );
  const whole = files.map((file) => readFileSync(file, 'utf8')).join('\n\n');
  // The lengths vary like those of chunks.
  return Array.from({ length: TEXTS }, (_, i) => {
    const length = CHARS * (0.2 + 0.8 * ((i * 37) % 100) * 0.01);
    const from = (i * CHARS) % Math.max(1, whole.length - CHARS);
    return passageText(['Documents'], whole.slice(from, from + length));
  });
}

/** CPU time of this process and its threads. */
async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const models = mkdtempSync(join(tmpdir(), 'pinakes-models-'));
const read = await minilmFolder(models);
const { InferenceSession, Tensor, Tokenizer } = await loadOnnxPackages();
const session = await InferenceSession.create(join(read.folder, MODEL_FILES.model), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});
const json = (name: string): object => JSON.parse(readFileSync(join(read.folder, name), 'utf8')) as object;
const tokenizer = new Tokenizer(json(MODEL_FILES.tokenizer), json(MODEL_FILES.tokenizerConfig));
const all = texts();
const rows = all.map((text) => tokenizer.encode(text).ids.slice(0, read.model.maxTokens));

/** Tokens are prepared and vectors are discarded: the lower bound of the work. */
async function bare(tokenized: ReadonlyArray<readonly number[]>, rowsPerRun: number): Promise<void> {
  const sorted = tokenized.toSorted((a, b) => a.length - b.length);
  for (let at = 0; at < sorted.length; at += rowsPerRun) {
    const batch = sorted.slice(at, at + rowsPerRun);
    const width = Math.max(...batch.map((row) => row.length));
    const shape = [batch.length, width];
    const filled = (value: (id: number | undefined) => bigint) =>
      new Tensor(
        'int64',
        BigInt64Array.from({ length: batch.length * width }, (_, i) =>
          value(batch[Math.floor(i / width)]?.[i % width]),
        ),
        shape,
      );
    await session.run({
      input_ids: filled((id) => BigInt(id ?? 0)),
      attention_mask: filled((id) => (id === undefined ? 0n : 1n)),
      token_type_ids: filled(() => 0n),
    });
  }
}

const SIZES = [1, 8, 16];
const embedder = createOnnxEmbedder({ ...read, threads: 1 });
const ours: number[] = [];
const theirs = SIZES.map((): number[] => []);
const runners = [
  { seconds: ours, run: (at: number) => embedder.embed(all.slice(at, at + BATCH_SIZE), 'passage') },
  ...SIZES.map((size, i) => ({
    seconds: theirs[i] ?? [],
    run: (at: number) => bare(rows.slice(at, at + BATCH_SIZE), size),
  })),
];
for (const { run } of runners) await run(0);
for (let round = 0; round < ROUNDS * Math.ceil(TEXTS / BATCH_SIZE); round += 1) {
  const first = round % runners.length;
  for (const { seconds, run } of [...runners.slice(first), ...runners.slice(0, first)])
    seconds.push(await cpuSeconds(() => run((round * BATCH_SIZE) % TEXTS)));
}
await embedder.close();
rmSync(models, { recursive: true });

const sum = (seconds: readonly number[]): number => seconds.reduce((total, one) => total + one, 0);
const rate = (seconds: readonly number[]): number => Number(((TEXTS * ROUNDS) / sum(seconds)).toFixed(1));
const best = theirs.toSorted((a, b) => sum(a) - sum(b))[0] ?? [];
const ratios = ours.map((seconds, round) => (best[round] ?? 0) / seconds).sort((a, b) => a - b);
writeResult('embed', {
  model: read.model.model,
  texts: TEXTS,
  tokensPerText: Math.round(rows.reduce((total, row) => total + row.length, 0) / rows.length),
  textsPerCpuSecond: rate(ours),
  bareByRowsPerRun: Object.fromEntries(SIZES.map((size, i) => [size, rate(theirs[i] ?? [])])),
  ratioToBestBare: Number((sum(best) / sum(ours)).toFixed(3)),
  medianRatioOfTurns: Number((ratios[Math.floor(ratios.length / 2)] ?? 0).toFixed(3)),
});
