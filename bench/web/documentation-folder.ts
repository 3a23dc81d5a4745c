// A folder of documentation and code of any size: the Markdown, HTML and source files of this project and of its packages. Once all
// of them are there, they are written again with a sixth of their longer words changed, so that no page is a copy of another
// and the vocabulary grows as it does in a real folder.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');
const DOCUMENTATION = new Set(['.md', '.html', '.txt']);
const CODE = new Set(['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs']);
/** Share of all bytes; the rest is code. */
const DOCUMENTATION_SHARE = 0.4;
const MIN_BYTES = 500;
const MAX_BYTES = 300_000;
/** Above it, lines are those of a machine. */
const MAX_LINE_BYTES = 120;

export interface MadeFolder {
  readonly files: number;
  readonly bytes: number;
  readonly documentationBytes: number;
  /** Hash of all paths and contents: the same packages give the same folder. */
  readonly sha256: string;
}

export function makeFolder(folder: string, maxBytes: number): MadeFolder {
  const sources = [...sourceFiles('docs'), ...sourceFiles('src'), ...sourceFiles('node_modules')];
  const documentation = cycle(sources.filter((path) => DOCUMENTATION.has(extname(path))));
  const code = cycle(sources.filter((path) => CODE.has(extname(path))));
  const hash = createHash('sha256');
  let files = 0;
  let bytes = 0;
  let documentationBytes = 0;
  for (;;) {
    const isDocumentation = documentationBytes <= bytes * DOCUMENTATION_SHARE;
    const { path, text } = (isDocumentation ? documentation : code)();
    const size = Buffer.byteLength(text);
    if (bytes + size > maxBytes) break;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    hash.update(`${path}\n${text}\n`);
    files += 1;
    bytes += size;
    if (isDocumentation) documentationBytes += size;
  }
  return { files, bytes, documentationBytes, sha256: hash.digest('hex') };
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (DOCUMENTATION.has(extname(entry.name)) || CODE.has(extname(entry.name))))
    .map((entry) => relative(PROJECT, join(entry.parentPath, entry.name)))
    .filter((path) => !/(?:^|\/)\.|\.min\.js$|^docs\/site/.test(path))
    .toSorted();
}

interface Source {
  readonly path: string;
  readonly text: string;
}

/** The files one after the other, and round after round. */
function cycle(paths: readonly string[]): () => Source {
  const readable = paths.filter(isWrittenByHand);
  let at = -1;
  return () => {
    at += 1;
    const round = Math.floor(at / readable.length);
    const path = readable[at % readable.length] ?? '';
    const text = readFileSync(join(PROJECT, path), 'utf8');
    // Folders of packages are ignored by their name.
    const name = path.replaceAll('node_modules', 'packages');
    return { path: `round-${round}/${name}`, text: round === 0 ? text : changeWords(text, round) };
  };
}

function isWrittenByHand(path: string): boolean {
  const text = readFileSync(join(PROJECT, path), 'latin1');
  if (text.length < MIN_BYTES || text.length > MAX_BYTES) return false;
  return text.length / text.split('\n').length <= MAX_LINE_BYTES;
}

function changeWords(text: string, round: number): string {
  const ending = round.toString(26).replaceAll(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '');
  return text.replaceAll(/\b[a-z]{5,20}\b/g, (word) => (hashOf(word, round) % 6 === 0 ? word + ending : word));
}

function hashOf(word: string, round: number): number {
  let hash = Math.imul(round, 2_654_435_761) >>> 0;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 16_777_619) >>> 0;
  return hash >>> 8;
}
