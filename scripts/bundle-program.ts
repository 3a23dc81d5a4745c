// Bundles the compiled program into dist/program: what every command loads is one file, what every action needs another, and the
// rest is loaded when it is used. A process that prints help reads a handful of files in place of three hundred. The library
// entries stay as they are compiled, so that the bundlers of their users can drop what is not used.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { licenseTexts } from './license-texts.ts';

const PROJECT = join(import.meta.dirname, '..');
const DIST = join(PROJECT, 'dist');
const TARGET = join(DIST, 'program');
/** Packages that every command loads; the others stay in node_modules. */
const BUNDLED = ['@modelcontextprotocol/core', '@modelcontextprotocol/server', '@noble/hashes', 'commander', 'zod'];
/** What the bundler adds for syntax that it rewrites, such as a tagged template with `</script>`; it is not installed. */
const HELPERS = '@oxc-project/runtime';
const START = join(DIST, 'program.js');
/** What the command of an action loads when it asks another process. */
const CLIENT = [
  'actions/search-docs',
  'compose/open-command-library',
  'platform/config/config-files',
  'platform/config/load-config',
  'platform/config/print-config',
  'serve/cli/action-command',
  'serve/cli/render/render-answer',
  'serve/cli/settings-help',
  'serve/owner/owner-library',
].map((name) => join(DIST, `${name}.js`));
/** A thread is started by the URL of its file, next to the one that starts it. */
const THREADS = [
  'compose/crawl-thread',
  'compose/plan-thread',
  'compose/query-thread',
  'embed/onnx-thread',
  'parse/parse-thread',
  'platform/watchdog-thread',
];

const imports = new Map<string, readonly string[]>();

function isExternal(id: string): boolean {
  if (id.startsWith('.') || id.startsWith('/')) return false;
  return ![...BUNDLED, HELPERS].some((name) => id === name || id.startsWith(`${name}/`));
}

/** These and what they import, directly or not, unless it is imported only when it is used. */
function withImports(starts: readonly string[]): Set<string> {
  const found = new Set<string>();
  const queue = [...starts];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    queue.push(...(imports.get(id) ?? []));
  }
  return found;
}

/** Without the start, which waits for the command: a file that the command loads must not wait for it in turn. */
function neededByEveryCommand(): ReadonlySet<string> {
  const found = withImports([START]);
  found.delete(START);
  return found;
}

/**
 * An import of a module of Node reads each of its exports, some of which load much more: the whole of `node:process` costs as
 * much as half of an empty process. The object of the module itself does not.
 */
function withoutNodeImports(code: string): string {
  return code.replaceAll(
    /^import (?:\* as )?([\w$]+)?(?:, )?(?:\{(.*)\})? from "(node:[\w/]+)";$/gm,
    (_, whole: string | undefined, names: string | undefined, module: string) => {
      const source = `process.getBuiltinModule("${module}")`;
      return [
        ...(whole === undefined ? [] : [`const ${whole} = ${source};`]),
        ...(names === undefined ? [] : [`const {${names.replaceAll(' as ', ': ')}} = ${source};`]),
      ].join(' ');
    },
  );
}

const threads = Object.fromEntries(
  THREADS.map((name) => [name.slice(name.indexOf('/') + 1), join(DIST, `${name}.js`)]),
);
const bundle = await rolldown({
  // Paths in comments start here: the same sources give the same files in any folder.
  cwd: PROJECT,
  resolve: { symlinks: false },
  input: { main: join(DIST, 'main.js'), ...threads },
  platform: 'node',
  external: isExternal,
  plugins: [
    {
      name: 'imports',
      moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds),
      renderChunk: (code) => withoutNodeImports(code),
    },
  ],
});
rmSync(TARGET, { recursive: true, force: true });
let shared: ReadonlySet<string> | null = null;
let client: ReadonlySet<string> | null = null;
await bundle.write({
  dir: TARGET,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  // The comments are in the sources.
  comments: false,
  // Names stay, so that a stack trace can be read; white space is a seventh of the bundle.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  codeSplitting: {
    groups: [
      { name: 'shared', priority: 2, test: (id) => (shared ??= neededByEveryCommand()).has(id) },
      { name: 'client', priority: 1, test: (id) => (client ??= withImports(CLIENT)).has(id) },
    ],
  },
});
writeFileSync(join(TARGET, 'licenses.txt'), licenseTexts(BUNDLED));
