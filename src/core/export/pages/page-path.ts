// The file of a page in a tree that is laid out like the site: `https://x.dev/guide/install.html` is `guide/install.md`.
//
// Sites choose their URLs, so nothing of a URL is trusted: a path stays inside its folder, and each part of it is a name that Linux,
// macOS and Windows accept, and no name that an agent or a tool takes for its instructions. Where that changes the name, the file
// carries a hash of the URL. Files end in `.md` and folders never do.

import { decodePercent } from '../../text/decode-percent.ts';
import { sha256Hex } from '../../model/hash.ts';
import type { PageUrl } from '../../model/page-url.ts';
import { compareText } from '../../text/compare-text.ts';

const PAGE_EXTENSION = /\.(?:md|mdx|markdown|html?|xhtml)$/i;
/** Not among the letters, digits and signs that are safe in a name everywhere. */
const UNSAFE = /[^\p{L}\p{M}\p{N}._~+=@!,()&-]+/gu;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Files that coding agents obey in any folder, without their extension; those that begin with a dot are never written. */
const INSTRUCTIONS =
  /^(?:agents?|claude|gemini|qwen|crush|warp|opencode|replit)(?:\.local|\.override)?$|^(?:skill|copilot-instructions)$/;
/** Shown and read as the description of its folder, in any language: `README.de`. */
const README = /^readme(?:\.|$)/;
/** Bytes in UTF-8, as file systems count. */
const MAX_NAME_BYTES = 100;
const MAX_FOLDERS = 16;
const HASH_DIGITS = 8;

/** `origin` is that of the source: pages of another one are in a folder with the name of their host. */
export function pagePath(url: PageUrl, origin: string): string {
  const { folders, name } = partsOf(url, origin);
  const file = safeFileName(name, folders.length === 0);
  const parts = [...folders.slice(0, MAX_FOLDERS).map(folderName), file];
  const isExact = folders.length <= MAX_FOLDERS && parts.every(({ isChanged }) => !isChanged);
  const path = parts.map(({ text }) => text).join('/');
  return isExact ? `${path}.md` : `${path}-${urlHash(url)}.md`;
}

/** Paths of a page, best first: another page may have taken the first, and an attacker the second. The last is that of no other page. */
export function possiblePagePaths(url: PageUrl, origin: string): readonly [string, string, string] {
  const path = pagePath(url, origin);
  const ending = `-${urlHash(url)}.md`;
  const hashed = path.endsWith(ending) ? path : `${path.slice(0, -'.md'.length)}${ending}`;
  return [path, hashed, `${hashed.slice(0, -'.md'.length)}-${sha256Hex(url)}.md`];
}

/**
 * The path of each page, all of them different even where case does not count. Of pages with the same path the first by URL keeps it, so
 * that the result does not depend on the order of the pages.
 */
export function pagePaths(urls: readonly PageUrl[], origin: string): ReadonlyMap<PageUrl, string> {
  const paths = new Map<PageUrl, string>();
  const taken = new Set<string>();
  for (const url of urls.toSorted(compareText)) {
    const possible = possiblePagePaths(url, origin);
    const path = possible.find((one) => !taken.has(pathKey(one))) ?? possible[2];
    taken.add(pathKey(path));
    paths.set(url, path);
  }
  return paths;
}

/**
 * The image of a page in a bundle: `images/` and its path, or host and path of its URL. Where a name is not safe everywhere, the file
 * carries a hash of the path before its ending.
 */
export function assetPath(path: string): string {
  const bare = path.replace(/^https?:\/\//, '');
  const ending = /\.[a-z0-9]{1,8}$/i.exec(bare)?.[0] ?? '';
  const folders = bare.slice(0, bare.length - ending.length).split('/');
  const name = folders.pop() ?? '';
  const parts = [...folders.map(safeName), safeFileName(name, false)];
  const isExact = parts.length <= MAX_FOLDERS && parts.every(({ isChanged }) => !isChanged);
  const names = parts.map(({ text }) => text);
  if (isExact) return `images/${names.join('/')}${ending}`;
  const retained = [...names.slice(0, MAX_FOLDERS - 1), names.at(-1) ?? ''];
  return `images/${retained.join('/')}-${sha256Hex(path).slice(0, HASH_DIGITS)}${ending}`;
}

/** Equal for names that some file system takes for the same: in capitals first, because only they are equal for `ss` and `ß`. */
export function pathKey(path: string): string {
  return path
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .toUpperCase()
    .toLowerCase();
}

function urlHash(url: PageUrl): string {
  return sha256Hex(url).slice(0, HASH_DIGITS);
}

interface UrlParts {
  readonly folders: readonly string[];
  readonly name: string;
}

function partsOf(url: PageUrl, origin: string): UrlParts {
  const isOwn = origin !== '' && url.startsWith(`${origin}/`);
  const rest = isOwn ? url.slice(origin.length + 1) : url.replace(/^[a-z]+:\/\//, '');
  const query = rest.indexOf('?');
  const path = query === -1 ? rest : rest.slice(0, query);
  const segments = path.split('/').map(decodePercent);
  const last = segments.pop() ?? '';
  const name = last === '' ? 'index' : last.replace(PAGE_EXTENSION, '');
  // What is left of `.md` is nothing.
  return { folders: segments, name: `${name === '' ? last : name}${query === -1 ? '' : rest.slice(query)}` };
}

/** A name of a file or folder that every system accepts; two names may become the same. */
export function safePathName(name: string): string {
  return folderName(name).text;
}

interface SafeName {
  readonly text: string;
  readonly isChanged: boolean;
}

function folderName(segment: string): SafeName {
  const safe = safeName(segment);
  return PAGE_EXTENSION.test(safe.text) ? { text: `${safe.text}_`, isChanged: true } : safe;
}

function safeName(segment: string): SafeName {
  const plain = segment.normalize('NFC').replaceAll(UNSAFE, '-');
  // A name that begins with a dot is hidden, and one that ends with a dot is cut by Windows.
  const visible = plain.replace(/^\.+/, '_').replace(/\.+$/, '_');
  const usable = visible === '' || WINDOWS_DEVICE.test(visible) ? `_${visible}` : visible;
  const text = cutToBytes(usable);
  return { text, isChanged: text !== segment };
}

function safeFileName(name: string, isInRoot: boolean): SafeName {
  const safe = safeName(name);
  const key = pathKey(safe.text);
  const isTaken = INSTRUCTIONS.test(key) || (isInRoot && README.test(key));
  return isTaken ? { text: `_${safe.text}`, isChanged: true } : safe;
}

function cutToBytes(text: string): string {
  const encoder = new TextEncoder();
  if (text.length * 3 <= MAX_NAME_BYTES || encoder.encode(text).byteLength <= MAX_NAME_BYTES) return text;
  let bytes = 0;
  let retained = '';
  for (const char of text) {
    bytes += encoder.encode(char).byteLength;
    if (bytes > MAX_NAME_BYTES) break;
    retained += char;
  }
  return retained.replace(/\.+$/, '_');
}

/** A bundle of a site has the URLs of its pages as paths. */
export function isWebPath(path: string): boolean {
  return /^https?:\/\//.test(path);
}
