// A whole bundle in memory: for the browser, and for sources that fit.

import type { BundleAbout, BundleForm, Bundle, ExportedPage } from './bundle.ts';
import { bundleEntries, type BundleEntry } from '../bundle-entries.ts';
import { chunkFile } from './chunk-file.ts';
import { createBundleDraft } from './bundle-builder.ts';
import { createZipWriter } from '../zip/zip-writer.ts';
import { joined } from '../join-bytes.ts';

/** `image` is there for pages that name an `imageEnding`. */
export type PageWithImage = ExportedPage & { readonly image?: Uint8Array };

export interface ExportedBundle {
  readonly bundle: Bundle;
  readonly zip: Uint8Array;
}

/** Pages in any order. */
export function exportBundle(about: BundleAbout, given: readonly PageWithImage[], form: BundleForm): ExportedBundle {
  const pages = given.toSorted((left, right) => (left.path < right.path ? -1 : Number(left.path > right.path)));
  const draft = createBundleDraft(about, { index: form === 'full' });
  for (const page of pages) draft.add(page);
  const bundle = draft.finish();
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const zip = createZipWriter();
  const pieces: Uint8Array[] = [];
  for (const entry of bundleEntries(bundle, form)) {
    const data = dataOf(entry, entry.kind === 'text' ? undefined : byPath.get(entry.page.path), form);
    pieces.push(...zip.entry(entry.name, data));
  }
  return { bundle, zip: joined([...pieces, zip.end()]) };
}

function dataOf(entry: BundleEntry, page: PageWithImage | undefined, form: BundleForm): Uint8Array | Iterable<string> {
  switch (entry.kind) {
    case 'text':
      return entry.text;
    case 'chunk': {
      const text = page?.chunks.find(({ id }) => id === entry.chunk.id)?.text ?? '';
      return [chunkFile(entry.page, entry.chunk, text, form)];
    }
    case 'image':
      return page?.image ?? new Uint8Array();
  }
}
