// Builds the dashboard into dist/web, and browser mode into one file, dist/web/browser-mode.html: scripts, styles,
// fonts, grammars and word vectors are inlined, and its content security policy allows these and no connection at all.

import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { build } from 'vite';
import { licenseTexts } from './license-texts.ts';

const PROJECT = join(import.meta.dirname, '..');
/** Packages in the build, whose licences require their notice to be included. */
const BUNDLED = [
  '@fontsource-variable/ibm-plex-sans',
  '@fontsource-variable/newsreader',
  '@fontsource/ibm-plex-mono',
  '@tanstack/history',
  '@tanstack/query-core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-virtual',
  '@tanstack/router-core',
  '@tanstack/virtual-core',
  'linkify-it',
  'markdown-it',
  'mdurl',
  'punycode.js',
  'react',
  'react-dom',
  'scheduler',
  'uc.micro',
  'uplot',
  '@noble/hashes',
  'entities',
  'fflate',
  'htmlparser2',
  'tldts',
  'web-tree-sitter',
  'yaml',
  'zod',
];
const GRAMMARS = ['tree-sitter-javascript.wasm', 'tree-sitter-typescript.wasm', 'tree-sitter-tsx.wasm'];

process.env['NODE_ENV'] = 'production';
await build({ configFile: join(PROJECT, 'vite.config.ts'), logLevel: 'warn' });
writeFileSync(join(PROJECT, 'dist/web/licenses.txt'), licenseTexts(BUNDLED));
const folder = mkdtempSync(join(tmpdir(), 'pinakes-local-'));
try {
  await build({
    configFile: join(PROJECT, 'vite.config.ts'),
    // The parser mentions eval on a path that is never taken; the content security policy would block it.
    logLevel: 'error',
    publicDir: false,
    // The script is a classic worker too: a page opened from disk cannot start a module worker.
    define: { 'import.meta.url': '"https://page.invalid/"', 'import.meta.resolve': 'undefined' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 1e6,
      rolldownOptions: { input: join(PROJECT, 'web/browser-mode/index.html'), output: { codeSplitting: false } },
    },
  });
  writeFileSync(join(PROJECT, 'dist/web/browser-mode.html'), onePage(folder));
} finally {
  rmSync(folder, { recursive: true });
}

function onePage(built: string): string {
  const assets = readdirSync(join(built, 'assets')).map((name) => join(built, 'assets', name));
  const script = scriptSafe(
    assets
      .filter((name) => name.endsWith('.js'))
      .map(read)
      .join('\n'),
  );
  const style = assets
    .filter((name) => name.endsWith('.css'))
    .map(read)
    .join('\n');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}' 'wasm-unsafe-eval'`,
    `style-src '${hashOf(style)}'`,
    'font-src data:',
    'img-src data: blob:',
    'worker-src blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    '<title>Pinakes in the browser</title><link rel="icon" href="data:,">',
    `<style>${style}</style></head><body><div id="app"></div>`,
    `<script type="application/json" id="grammars">${JSON.stringify(grammars())}</script>`,
    `<script type="text/plain" id="words">${packed(join(PROJECT, 'src/core/vector/word-vectors.bin'))}</script>`,
    `<script type="module">${script}</script>`,
    '</body></html>\n',
  ].join('\n');
}

/** Inside HTML, `</script` would end the script, and `<!--` would start an escaped state. */
function scriptSafe(code: string): string {
  return code.replaceAll(/<\/(?=script)/gi, String.raw`<\/`).replaceAll('<!--', String.raw`<\!--`);
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function grammars(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const home = join(dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
  const runtime = packed(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
  return { runtime, ...Object.fromEntries(GRAMMARS.map((name) => [name, packed(join(home, name))])) };
}

function packed(file: string): string {
  return deflateRawSync(readFileSync(file), { level: 9 }).toString('base64');
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}
