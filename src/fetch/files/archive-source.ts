// Archives and bundles as local sources, unpacked into memory once; the caps keep that small.

import type { Reason } from '../../core/outcome/reasons.table.ts';
import { basename } from 'node:path/posix';
import type { BundleReader } from '../../core/export/bundle/read-bundle.ts';
import { ratioLimit, unpackTar } from '../../core/extract/archive/unpack-tar.ts';
import { createTarReader, type TarItem } from '../../core/extract/archive/tar-reader.ts';
import { readZip } from '../../core/extract/archive/read-zip.ts';
import { DEFAULT_IGNORES } from '../../core/files/default-ignores.table.ts';
import type { FileSourceLimits } from '../../core/files/file-limits.ts';
import { displayPath, fileUrl, isFileUrl, pathOfFileUrl } from '../../core/files/file-url.ts';
import {
  IGNORE_FILES,
  ignoreVerdict,
  MAX_IGNORE_BYTES,
  parseIgnoreFile,
  type IgnoreFile,
} from '../../core/files/ignore-file.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import { type PageUrl, parsePageUrl } from '../../core/model/page-url.ts';
import type { ListedFile, LocalSource } from '../port.ts';

const MAX_RATIO = 100;
const MAX_ENTRIES = 50_000;

export const ARCHIVE_NAME = /\.(?:zip|tar|tar\.gz|tgz)$/i;

type Item =
  | { readonly kind: 'file'; readonly path: string; readonly body: Uint8Array }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: Reason };

export function openArchive(archive: Uint8Array, name: string, limits: FileSourceLimits): LocalSource {
  const bodies = new Map<PageUrl, Uint8Array>();
  const listed: ListedFile[] = [];
  for (const item of withoutIgnored([...itemsOf(archive, name, limits)])) {
    const url = fileUrl(displayPath(item.kind === 'file' ? item.path : item.name));
    if (item.kind === 'refused') {
      // Directory entries carry no content.
      if (item.reason !== 'folder') listed.push({ kind: 'refused', url, reason: item.reason });
    } else if (bodies.has(url)) listed.push({ kind: 'refused', url: duplicateUrl(url), reason: 'duplicate-name' });
    else {
      bodies.set(url, item.body);
      listed.push({ kind: 'file', url });
    }
  }
  return {
    async *list(signal) {
      for (const item of listed) {
        signal.throwIfAborted();
        yield item;
      }
    },
    async read(url) {
      const body = bodies.get(url);
      // The caller takes ownership of the body, and a page may be read again.
      return body === undefined
        ? { kind: 'not-found', reason: 'no-such-file: not in the archive' }
        : { kind: 'read', body: body.slice(), hash: sha256Hex(body) };
    },
  };
}

/** Leaves out what the ignore files of the archive and the default rules match; an ignored folder is reported once. */
function* withoutIgnored(items: readonly Item[]): Generator<Item> {
  const rules = ignoreFilesOf(items);
  const ignored = new Set<string>();
  for (const item of items) {
    if (item.kind === 'refused') yield item;
    else if (IGNORE_FILES.includes(basename(item.path))) yield { kind: 'refused', name: item.path, reason: 'hidden' };
    else {
      const exclusion = exclusionOf(item.path, rules);
      if (exclusion === null) yield item;
      else if (!ignored.has(exclusion.path)) yield { kind: 'refused', name: exclusion.path, reason: exclusion.reason };
      if (exclusion !== null) ignored.add(exclusion.path);
    }
  }
}

/** From the root down. */
function ignoreFilesOf(items: readonly Item[]): readonly IgnoreFile[] {
  const own = items.flatMap((item) => {
    if (item.kind !== 'file' || item.body.byteLength > MAX_IGNORE_BYTES) return [];
    const name = basename(item.path);
    const order = IGNORE_FILES.indexOf(name);
    const base = item.path.slice(0, item.path.length - name.length);
    return order === -1 ? [] : [{ order, file: parseIgnoreFile(decodeUtf8(item.body), base) }];
  });
  own.sort((a, b) => a.file.base.split('/').length - b.file.base.split('/').length || a.order - b.order);
  return [parseIgnoreFile(DEFAULT_IGNORES.join('\n'), ''), ...own.map(({ file }) => file)];
}

/** The outermost folder of a file that a rule matches, or the file itself. */
function exclusionOf(path: string, rules: readonly IgnoreFile[]): { path: string; reason: Reason } | null {
  const segments = path.split('/');
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const part = segments.slice(0, depth).join('/');
    const verdict = ignoreVerdict(part, depth < segments.length, rules);
    if (verdict.ignored) return { path: part, reason: `ignored: ${verdict.pattern}` };
  }
  return null;
}

function itemsOf(archive: Uint8Array, name: string, limits: FileSourceLimits): Iterable<Item> {
  const { maxFileBytes, maxSourceBytes: maxTotalBytes } = limits;
  const maxEntries = Math.min(MAX_ENTRIES, limits.maxFiles);
  if (/\.zip$/i.test(name)) {
    return readZip(archive, name, { maxRatio: MAX_RATIO, maxFileBytes, maxTotalBytes, maxEntries });
  }
  const items: TarItem[] = [];
  const reader = createTarReader({ name, maxFileBytes, maxEntries, onItem: (item) => items.push(item) });
  unpackTar(archive, reader, { name, maxBytes: Math.min(maxTotalBytes, ratioLimit(archive, MAX_RATIO)) });
  return items;
}

/** The second file of the same name needs a distinct URL to be reported. */
function duplicateUrl(url: PageUrl): PageUrl {
  return `${url}%20(again)` as PageUrl;
}

/** Its pages come with their chunks, under their original URLs. */
export function openBundle(bundle: BundleReader): LocalSource {
  return {
    async *list(signal) {
      for (const { path } of bundle.pages) {
        signal.throwIfAborted();
        yield { kind: 'file', url: urlOf(path) };
      }
    },
    async read(url) {
      const path = isFileUrl(url) ? pathOfFileUrl(url) : url;
      try {
        const page = path === null ? null : bundle.read(path);
        return page === null
          ? { kind: 'not-found', reason: 'no-such-file: not in the bundle' }
          : { kind: 'page', page };
      } catch (error) {
        if (error instanceof PinakesError) return { kind: 'failed', reason: `${error.code}: ${error.message}` };
        throw error;
      }
    },
    vectors: () => bundle.vectors,
    linkCounts: () => new Map(bundle.pages.map(({ path, inlinks = 0 }) => [urlOf(path), inlinks])),
    declaredVersion: bundle.meta.declaredVersion ?? null,
    ...(bundle.meta.terms !== undefined && { terms: bundle.meta.terms }),
  };
}

function urlOf(path: string): PageUrl {
  return /^https?:/.test(path) ? (parsePageUrl(path) ?? fileUrl(path)) : fileUrl(path);
}
