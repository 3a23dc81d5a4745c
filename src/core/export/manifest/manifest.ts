// What a manifest says of a bundle, whichever form it was written in.

import type { Chunk } from '../../model/chunk.ts';
import type { BundleAbout, PageFacts } from '../bundle/bundle.ts';

export interface ManifestChunk extends Omit<Chunk, 'id' | 'contentHash' | 'text' | 'tokens' | 'lines'> {
  /** A last line that is not stated follows from the text. */
  readonly lines: { readonly first: number; readonly last: number | null };
  readonly ref: string;
  /** What the manifest says of id and hash; null where it leaves them to be computed. */
  readonly stated: { readonly id: string; readonly contentHash: string } | null;
}

export interface ManifestPage {
  readonly facts: PageFacts;
  readonly chunks: readonly ManifestChunk[];
}

export interface Manifest {
  readonly about: BundleAbout;
  readonly indexId: string;
  readonly pages: readonly ManifestPage[];
}
