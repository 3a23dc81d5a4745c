// Hybrid search as a user runs it: add a folder, configure a model, and the answer states its mode.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MANIFEST_FILE } from '../../../src/core/vector/local-model.ts';
import { minilmFolder } from '../../support/minilm-folder.ts';
import { MAIN } from '../../support/program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const dataDir = temporaryDirectory();
const docs = temporaryDirectory();

const PAGES = {
  'cats.md': '# Feline care\n\nBrush the fur of the animal every week and give it fresh water.\n',
  'engines.md': '# Motor upkeep\n\nChange the oil of the engine every ten thousand kilometres.\n',
  'taxes.md': '# Revenue office\n\nHand in the yearly declaration before the end of July.\n',
};

function settingsOf(env: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    PINAKES_DATA_DIR: dataDir,
    PINAKES_OWNER_MODE: 'in-process',
    PINAKES_OWNER_IDLE_MS: '500',
    PINAKES_MIN_FREE_BYTES: '0',
    PINAKES_EMBED_PROVIDER: 'local',
    PINAKES_EMBED_MODEL: 'minilm',
    ...env,
  };
}

function pinakes(args: readonly string[], env: Record<string, string> = {}) {
  return promisify(execFile)(process.execPath, [MAIN, ...args, '--json'], { env: settingsOf(env) });
}

async function workUntilIdle(env: Record<string, string> = {}): Promise<void> {
  await promisify(execFile)(process.execPath, [MAIN, 'worker', '--until-idle'], { env: settingsOf(env) });
}

interface Answer {
  readonly mode: string;
  readonly passages: ReadonlyArray<{ readonly url: string }>;
}

async function search(query: string, env: Record<string, string> = {}): Promise<Answer> {
  return JSON.parse((await pinakes(['search', query], env)).stdout) as Answer;
}

beforeAll(async () => {
  for (const [name, text] of Object.entries(PAGES)) writeFileSync(join(docs, name), text);
  mkdirSync(join(dataDir, 'models'));
  await minilmFolder(join(dataDir, 'models'));
  await pinakes(['add', docs, '--wait']);
  await workUntilIdle();
});
afterAll(() => {
  rmSync(dataDir, { recursive: true });
  rmSync(docs, { recursive: true });
});

test('[X1] a query that shares no word with a page finds it by its vector', async () => {
  const { mode, passages } = await search('grooming a kitten');
  expect(mode).toBe('hybrid');
  expect(passages[0]?.url).toContain('cats.md');
});

test('without a model, or with one that was never pulled, search is lexical and says so', async () => {
  expect(await search('engine oil', { PINAKES_EMBED_PROVIDER: 'none' })).toMatchObject({ mode: 'lexical' });
  const { mode, passages } = await search('engine oil', { PINAKES_EMBED_MODEL: 'absent' });
  expect(mode).toBe('lexical');
  expect(passages[0]?.url).toContain('engines.md');
});

test('while a new model embeds, the previous one answers as long as it is available', async () => {
  const models = join(dataDir, 'models');
  const manifest = join(models, 'shorter', MANIFEST_FILE);
  cpSync(join(models, 'minilm'), join(models, 'shorter'), { recursive: true });
  const original = JSON.parse(readFileSync(manifest, 'utf8')) as object;
  writeFileSync(manifest, JSON.stringify({ ...original, name: 'shorter', maxTokens: 128 }));
  const changed = { PINAKES_EMBED_MODEL: 'shorter' };
  const { mode, passages } = await search('grooming a kitten', changed);
  expect(mode).toBe('hybrid');
  expect(passages[0]?.url).toContain('cats.md');

  renameSync(join(models, 'minilm'), join(models, '.away'));
  expect(await search('grooming a kitten', changed)).toMatchObject({ mode: 'lexical' });
  await workUntilIdle(changed);
  expect(await search('grooming a kitten', changed)).toMatchObject({ mode: 'hybrid' });
  renameSync(join(models, '.away'), join(models, 'minilm'));
});
