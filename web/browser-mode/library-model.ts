// A library of browser mode as it is kept and opened again.

import type { LeftOutFile } from '../../src/core/export/bundle/bundle.ts';
import type { BundledVector } from '../../src/core/export/bundle/vector-files.ts';
import type { EmbeddingSpace } from '../../src/core/vector/space.ts';
import type { PackedPage } from './packed-page.ts';

/** Vectors of a bundle that was opened, to be written again. */
export interface SavedSpace extends EmbeddingSpace {
  readonly rows: readonly BundledVector[];
}

export interface SavedLibrary {
  readonly name: string;
  readonly at: string;
  /** Extractors and chunkers that made the pages; other ones read unchanged files again. */
  readonly pipeline: string;
  /** For a bundle: its version and where it was crawled. */
  readonly version: string;
  readonly declaredVersion: string | null;
  readonly startUrl: string | null;
  readonly pages: readonly PackedPage[];
  /** Files of the folder that have no page. */
  readonly leftOut: readonly LeftOutFile[];
  readonly spaces: readonly SavedSpace[];
}
