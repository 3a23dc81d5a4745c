// A compressed outline of a source: the paths of its pages, folder by folder, in a given number of bytes.
//
// It is written into files that agents read as instructions, and paths are chosen by the site. So a path is reduced to letters,
// digits and a few harmless characters, is cut, and is left out if it reads like an instruction or a sentence.

import { chunkPath } from '../../chunk/chunk-names.ts';
import { detectInjection } from '../../classify/prompt-injection.ts';
import { decodePercent } from '../../text/decode-percent.ts';
import type { PageUrl } from '../../model/page-url.ts';

interface Folder {
  /** Names of its pages, sorted. */
  readonly names: string[];
  /** Whether there are pages in folders below, which are not listed on their own. */
  hasDeeper: boolean;
}

/** How much of a source is listed: levels of folders, and pages in each of them. */
interface Detail {
  readonly levels: number;
  readonly names: number;
}

/** From everything to the names of the top folders. */
const DETAILS: readonly Detail[] = [
  { levels: 8, names: Number.POSITIVE_INFINITY },
  { levels: 8, names: 20 },
  { levels: 3, names: 12 },
  { levels: 2, names: 12 },
  { levels: 2, names: 6 },
  { levels: 1, names: 12 },
  { levels: 1, names: 6 },
  { levels: 1, names: 3 },
  { levels: 1, names: 1 },
  { levels: 1, names: 0 },
];

const MAX_SEGMENT_CHARS = 40;
const ELLIPSIS = '…';

/** An outline of at most so many bytes; empty if not even one folder fits. */
export type FitOutline = (maxBytes: number) => string;

/** `guides/{install,plugins,…} reference/{server,routes} faq/` */
export function outlinePaths(paths: readonly string[]): FitOutline {
  const safe = new Set(paths.map(safePath).filter((path) => path !== ''));
  const pages = [...safe].sort().map((path) => path.split('/'));
  const shared = sharedFolders(pages);
  const prefix = shared.length === 0 ? '' : `${shared.join('/')}/ `;
  const below = pages.map((segments) => segments.slice(shared.length));
  const outlines: string[] = [];
  return (maxBytes) => {
    for (const [nth, detail] of DETAILS.entries()) {
      const outline = (outlines[nth] ??= prefix + foldersOf(below, detail).join(' '));
      if (byteLength(outline) <= maxBytes) return outline;
    }
    const some = fitting(foldersOf(below, { levels: 1, names: 0 }), maxBytes - byteLength(prefix));
    return some === '' ? '' : prefix + some;
  };
}

/** The path of a page in its source: without the scheme, and without the host if it is the host of the source. */
export function outlinedPath(url: PageUrl, start: string): string {
  if (url.startsWith('file:')) return chunkPath(url);
  const { host, pathname } = new URL(url);
  return decodePercent(host === (URL.parse(start)?.host ?? host) ? pathname : `${host}${pathname}`);
}

const MAX_PATH_CHARS = 2000;
const PLAIN = /^[\w.~+@/-]*$/;
/** Words without which a plain path matches no injection pattern. */
const SUSPICIOUS = /ignore|disregard|forget/i;

/** More words are a sentence, which may be an instruction; no pattern recognizes one. */
const MAX_SEGMENT_WORDS = 5;
const WORD = /\p{L}{2,}/gu;

function isSentence(segment: string): boolean {
  return (segment.match(WORD)?.length ?? 0) > MAX_SEGMENT_WORDS;
}

/** Empty for a path that must not be shown; `…` replaces a part that reads like a sentence. */
export function safePath(whole: string): string {
  const path = whole.slice(0, MAX_PATH_CHARS);
  const isPlain = PLAIN.test(path);
  if ((!isPlain || SUSPICIOUS.test(path)) && detectInjection(path.replaceAll(/[\s_/.+-]+/g, ' ')).length > 0) return '';
  return path
    .split('/')
    .map((segment) => {
      if (isSentence(segment)) return ELLIPSIS;
      return isPlain && segment.length <= MAX_SEGMENT_CHARS ? segment : safeSegment(segment);
    })
    .filter((segment) => segment !== '')
    .join('/');
}

function safeSegment(segment: string): string {
  const safe = segment.normalize('NFC').replaceAll(/[^\p{L}\p{N}._~+@-]+/gu, '-');
  const chars = Array.from(safe);
  return chars.length <= MAX_SEGMENT_CHARS ? safe : `${chars.slice(0, MAX_SEGMENT_CHARS - 1).join('')}${ELLIPSIS}`;
}

/** Folders that every page is below. */
function sharedFolders(pages: ReadonlyArray<readonly string[]>): readonly string[] {
  const [first = []] = pages;
  let length = Math.max(first.length - 1, 0);
  for (const segments of pages) {
    let common = 0;
    while (common < Math.min(length, segments.length - 1) && segments[common] === first[common]) common += 1;
    length = common;
  }
  return first.slice(0, length);
}

function foldersOf(pages: ReadonlyArray<readonly string[]>, { levels, names }: Detail): string[] {
  const folders = new Map<string, Folder>();
  for (const segments of pages) {
    const name = segments.at(-1) ?? '';
    const depth = segments.length - 1;
    const path = segments.slice(0, Math.min(depth, levels)).join('/');
    const folder = folders.get(path) ?? { names: [], hasDeeper: false };
    if (depth <= levels) folder.names.push(name);
    else folder.hasDeeper = true;
    folders.set(path, folder);
  }
  return [...folders].map(([path, folder]) => folderText(path, folder, names));
}

function folderText(path: string, { names, hasDeeper }: Folder, maxNames: number): string {
  const isCut = names.length > maxNames || hasDeeper;
  const listed = [...names.slice(0, maxNames), ...(isCut ? [ELLIPSIS] : [])].join(',');
  if (path === '') return listed;
  return listed === ELLIPSIS ? `${path}/` : `${path}/{${listed}}`;
}

function fitting(folders: readonly string[], maxBytes: number): string {
  const retained: string[] = [];
  let left = maxBytes - byteLength(ELLIPSIS);
  for (const folder of folders) {
    left -= byteLength(folder) + 1;
    if (left < 0) break;
    retained.push(folder);
  }
  return retained.length === 0 ? '' : [...retained, ELLIPSIS].join(' ');
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
