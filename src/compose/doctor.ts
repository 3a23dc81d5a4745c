// What concerns this machine and not the library: what it lacks, and the return to an earlier library.

import { type Surroundings, openStore, isLocal } from './store.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { Finding } from '../platform/check-machine.ts';

/** What this machine has of what the program needs. Nothing is made that was not there, but the data directory. */
export async function examine(around: Surroundings): Promise<readonly Finding[]> {
  const { examineNode, examineDirectory, examineRoom, examinePackages } = await import('../platform/check-machine.ts');
  const { examineStore } = await import('../operate/examine-store.ts');
  const { examineOwner } = await import('../serve/local/examine-owner.ts');
  const { dataDir, minFreeBytes } = around.config;
  const place = isLocal(around) ? [examineDirectory(dataDir), examineRoom(dataDir, minFreeBytes)] : [];
  const isUsable = place.every(({ state }) => state !== 'wrong');
  return [
    examineNode(),
    ...place,
    ...(isUsable ? [await examineStore(() => openStore(around, 'read'))] : []),
    ...(isLocal(around) ? [await examineOwner(dataDir)] : []),
    examinePackages('grammars for code', ['@vscode/tree-sitter-wasm']),
    examinePackages('local models', ['onnxruntime-node', '@huggingface/tokenizers']),
  ];
}

/** Raises `backup.elsewhere`, `backup.unusable` or `database.owned`. */
export async function restore(around: Surroundings, file: string): Promise<{ before: string | null }> {
  const { config, command } = around;
  if (!isLocal(around)) throw pinakesError('backup.elsewhere', {});
  const { takeOver } = await import('../serve/local/take-over.ts');
  const { restoreSqlite } = await import('../store/sqlite/backup-restore.ts');
  await takeOver(config.dataDir);
  const owner = { pid: process.pid, command, since: new Date().toISOString() };
  return { before: restoreSqlite(config.dataDir, file, owner) };
}
