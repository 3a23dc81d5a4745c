// Compares two stored versions of a source.

import { chunkPath } from '../core/chunk/chunk-names.ts';
import type { ComparedPage } from '../core/diff/documented-api.ts';
import { versionDiff, type ComparedVersion, type VersionDiff } from '../core/diff/version-diff.ts';
import type { Store } from '../store/port.ts';
import type { Version } from '../store/port/sources.ts';

const BATCH_SIZE = 200;
/** Limit of pages per version. Two versions with more would not fit in memory. */
const MAX_PAGES = 10_000;
const MAX_CHARS = 100_000_000;

export interface LoadedVersions {
  readonly before: ComparedVersion;
  readonly after: ComparedVersion;
  /** Whether a version has more pages than are compared. */
  readonly isPartial: boolean;
}

export async function loadVersions(
  store: Pick<Store, 'pages'>,
  before: Version,
  after: Version,
  signal: AbortSignal,
): Promise<LoadedVersions> {
  const [old, current] = [await loadPages(store, before, signal), await loadPages(store, after, signal)];
  return {
    before: { label: before.label, pages: old.pages },
    after: { label: after.label, pages: current.pages },
    isPartial: old.isPartial || current.isPartial,
  };
}

export function compareVersions({ before, after }: LoadedVersions): VersionDiff {
  return versionDiff(before, after);
}

async function loadPages({ pages }: Pick<Store, 'pages'>, { id }: Version, signal: AbortSignal) {
  const loaded: ComparedPage[] = [];
  let chars = 0;
  let after: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const batch = await pages.outlines(id, { prefix: '', after, limit: BATCH_SIZE });
    for (const { url, title, outline } of batch) {
      const text = (await pages.text(id, url)) ?? '';
      chars += text.length;
      if (loaded.length === MAX_PAGES || chars > MAX_CHARS) return { pages: loaded, isPartial: true };
      loaded.push({ path: chunkPath(url), title, text, outline });
      after = url;
    }
    if (batch.length < BATCH_SIZE) return { pages: loaded, isPartial: false };
  }
}
