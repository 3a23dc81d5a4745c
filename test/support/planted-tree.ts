// A small tree of files in a temporary folder with the project's own rule files, for the tools to check.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './temporary-folder.ts';

export const PROJECT = join(import.meta.dirname, '../..');

export interface PlantedTree {
  /** Runs one of the project's tools inside the tree. */
  run(command: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
}

export interface PlantedFiles {
  /** Files of the project that are copied unchanged: rule files, scripts. */
  readonly copied?: readonly string[];
  /** Whether to use the project's packages; false if the tree has its own. */
  readonly packages?: boolean;
  readonly files: Readonly<Record<string, string>>;
}

export function plantTree({ copied = [], packages = true, files }: PlantedFiles): PlantedTree {
  const root = realpathSync(temporaryDirectory());
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of copied) cpSync(join(PROJECT, file), join(root, file));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  if (packages) symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  return { run: (command) => runIn(root, command) };
}

export function runIn(cwd: string, command: string): ReturnType<PlantedTree['run']> {
  const PATH = [join(PROJECT, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const options = { cwd, shell: true, encoding: 'utf8', maxBuffer: 1e8, env: { ...process.env, PATH } } as const;
  return spawnSync(command, options);
}
