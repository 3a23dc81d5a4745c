// One archive in place of a folder: a bundle is opened with its chunks and vectors, any other archive is unpacked.

import { archiveKind, readBundleFile } from '../../src/core/export/bundle/bundle-archive.ts';
import { importedDocument } from '../../src/core/export/bundle/imported-page.ts';
import type { ReadBundlePage } from '../../src/core/export/bundle/read-bundle.ts';
import { isWebPath } from '../../src/core/export/pages/page-path.ts';
import { readZip } from '../../src/core/extract/archive/read-zip.ts';
import { FILE_SOURCE_LIMITS } from '../../src/core/files/file-limits.ts';
import { fileUrl } from '../../src/core/files/file-url.ts';
import { pageUrl, type PageUrl } from '../../src/core/model/page-url.ts';
import { sourceNameFromPath } from '../../src/core/model/source-name.ts';
import type { BrowserPage } from './extract-file.ts';
import type { SavedLibrary } from './library-model.ts';
import { packPage } from './packed-page.ts';
import type { InputFile } from './walk-files.ts';

export interface Archive {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Null if the files are not one zip archive. */
export async function archiveOf({ files }: { readonly files: readonly InputFile[] }): Promise<Archive | null> {
  const [first, ...more] = files;
  if (first === undefined || more.length > 0 || !/\.zip$/i.test(first.path)) return null;
  return { name: first.path, bytes: new Uint8Array(await first.file.arrayBuffer()) };
}

/** Null for any other archive. Throws `bundle.corrupt` and the like. */
export function openBundle({ name, bytes }: Archive): SavedLibrary | null {
  if (archiveKind(bytes, name) !== 'bundle') return null;
  const bundle = readBundleFile(bytes, name, FILE_SOURCE_LIMITS);
  const pages = bundle.pages.flatMap(({ path }) => {
    const page = bundle.read(path);
    return page == null ? [] : packPage(browserPage(page));
  });
  const spaces = bundle.vectors.map((space) => ({ ...space, rows: [...space.rows()] }));
  // Its files are not at hand, so none of them is known by its hash.
  const { declaredVersion = null } = bundle.meta;
  const meta = { ...bundle.meta, declaredVersion, name: bundle.meta.name || sourceNameFromPath(name) };
  return { ...emptyLibrary(meta.name), ...meta, pages, spaces };
}

function browserPage(read: ReadBundlePage): BrowserPage {
  const { image, ...page } = read;
  return { ...page, ...importedDocument(read), ...(image !== null && { image }) };
}

/** The rules for files of a folder apply to them afterwards. */
export function unpackFiles({ name, bytes }: Archive): readonly InputFile[] {
  const files: InputFile[] = [];
  for (const item of readZip(bytes, name)) {
    if (item.kind === 'file') files.push({ path: item.path, file: new Blob([item.body as Uint8Array<ArrayBuffer>]) });
  }
  return files;
}

export function emptyLibrary(name: string): SavedLibrary {
  const unknown = { version: '', declaredVersion: null, startUrl: null };
  return { name, at: '', pipeline: '', ...unknown, pages: [], leftOut: [], spaces: [] };
}

/** A bundle of a site has the URLs of its pages as paths. */
export function urlOf(path: string): PageUrl {
  return isWebPath(path) ? pageUrl(path) : fileUrl(path);
}
