// Copies data files next to the built code: the grammars of the default install, so that JavaScript and TypeScript need no second
// package, and the table of word vectors.

import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const bundled = ['tree-sitter-javascript.wasm', 'tree-sitter-typescript.wasm', 'tree-sitter-tsx.wasm'];

const packageFolder = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json'));
const project = join(import.meta.dirname, '..');
const target = join(project, 'dist', 'grammars');

mkdirSync(target, { recursive: true });
for (const name of bundled) copyFileSync(join(packageFolder, 'wasm', name), join(target, name));
copyFileSync(join(packageFolder, 'LICENSE'), join(target, 'LICENSE'));

const table = join('core', 'vector', 'word-vectors.bin');
copyFileSync(join(project, 'src', table), join(project, 'dist', table));
