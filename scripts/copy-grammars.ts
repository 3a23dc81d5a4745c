// Copies the grammars of the default install next to the built code, so that JavaScript and TypeScript need no second package.

import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const bundled = ['tree-sitter-javascript.wasm', 'tree-sitter-typescript.wasm', 'tree-sitter-tsx.wasm'];

const packageFolder = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json'));
const target = join(import.meta.dirname, '..', 'dist', 'grammars');

mkdirSync(target, { recursive: true });
for (const name of bundled) copyFileSync(join(packageFolder, 'wasm', name), join(target, name));
copyFileSync(join(packageFolder, 'LICENSE'), join(target, 'LICENSE'));
