// The files of a bundle, in the order of their names. Texts of chunks are asked for one by one by whoever writes them.

import type { Bundle, BundleChunk, BundleForm, BundlePage } from './bundle/bundle.ts';
import { catalogMd } from './catalog-md.ts';
import { chunkName, imageName, manifestJson } from './manifest/manifest-json.ts';
import { manifestMin } from './manifest/manifest-min.ts';
import { manifestTsv } from './manifest/manifest-tsv.ts';
import { outlineMd } from './outline-md.ts';
import { pointerMd } from './bundle/markdown-files.ts';

export type BundleEntry =
  | { readonly kind: 'text'; readonly name: string; readonly text: Iterable<string> }
  | { readonly kind: 'chunk'; readonly name: string; readonly page: BundlePage; readonly chunk: BundleChunk }
  | { readonly kind: 'image'; readonly name: string; readonly page: BundlePage };

/** One at a time: a manifest is made when its turn comes, piece by piece, and forgotten after it. */
export function* bundleEntries(bundle: Bundle, form: BundleForm): Generator<BundleEntry> {
  const isFull = form === 'full';
  if (isFull) yield text('catalog.llm.md', catalogMd(bundle));
  for (const page of bundle.pages) {
    for (const chunk of page.chunks) yield { kind: 'chunk', name: chunkName(chunk.ref), page, chunk };
  }
  if (isFull) yield* images(bundle);
  if (isFull && bundle.indexJson !== null) yield text('index.json', bundle.indexJson());
  yield text('llm.md', [pointerMd(bundle, form)]);
  if (isFull) yield text('manifest.json', manifestJson(bundle));
  yield text('manifest.llm.tsv', manifestTsv(bundle));
  if (!isFull) return;
  yield text('manifest.min.json', manifestMin(bundle));
  yield text('outline.md', outlineMd(bundle));
}

function* images({ pages }: Bundle): Generator<BundleEntry> {
  for (const page of pages) {
    const [first] = page.chunks;
    if (page.imageEnding === null || first === undefined) continue;
    yield { kind: 'image', name: imageName(first.ref, page.imageEnding), page };
  }
}

function text(name: string, content: Iterable<string>): BundleEntry {
  return { kind: 'text', name, text: content };
}
