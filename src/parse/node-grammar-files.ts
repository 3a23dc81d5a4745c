// Grammar files on disk: next to the built program, otherwise in the optional package.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packagePath } from '../platform/package-path.ts';
import type { GrammarFiles } from '../core/chunk/code/grammar-loader.ts';

export function createNodeGrammarFiles(): GrammarFiles {
  const require = createRequire(import.meta.url);
  return {
    async runtime() {
      return await readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
    },
    async grammar(file) {
      return await readIfPresent(packagePath(join('grammars', file)) ?? packaged(require, file));
    },
  };
}

function packaged(require: NodeJS.Require, file: string): string | null {
  try {
    return join(dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm', file);
  } catch {
    return null; // the optional package is not installed
  }
}

async function readIfPresent(path: string | null): Promise<Uint8Array | null> {
  if (path === null) return null;
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
