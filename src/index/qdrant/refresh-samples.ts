// Keeps the samples of terms like the library. Keys of pages are hashes, so the first ones of a version are a random sample of it.

import { createSamplePacker, type SamplePacker } from './term-sample.ts';
import { LIBRARY, type PointRecords, type SampleState, type PackedSample } from '../../ports/point-records.ts';
import { UPKEEP } from '../../ports/index-parts.ts';
import { withLease } from './share-indexing.ts';

/** Chunks of the library's sample, and of a version's. */
const LIBRARY_CHUNKS = 30_000;
const VERSION_CHUNKS = 10_000;
/** A smaller version has no sample: its terms are weighted as in the library. */
const MIN_VERSION_CHUNKS = 1000;
/** While a library is being indexed, a sample is refreshed once it has doubled; in an idle one, once it has changed by this share. */
const BUSY_GROWTH = 2;
const IDLE_DRIFT = 0.1;
/** A sample that holds every chunk is exact, and is kept so. */
const MAX_AGE_MS = 24 * 3_600_000;
const PAGES_PER_READ = 20;

/** Draws the sample of a version or of the library; null if a version is too small to have one. */
export async function sampleOf(
  records: Pick<PointRecords, 'samplePages' | 'read'>,
  states: readonly SampleState[],
  { version, chunks }: SampleState,
): Promise<PackedSample | null> {
  if (version === LIBRARY) {
    const versions = states.filter((state) => state.version !== LIBRARY);
    return drawSample(records, versions, LIBRARY_CHUNKS);
  }
  return chunks < MIN_VERSION_CHUNKS ? null : drawSample(records, [{ version, chunks }], VERSION_CHUNKS);
}

/** Refreshes one sample that is out of date; false if there is none, or another process does it. */
export async function refreshSample(
  records: PointRecords,
  { isIdle, leaseMs }: { readonly isIdle: boolean; readonly leaseMs: number },
): Promise<boolean> {
  const states = await records.sampleStates();
  const outdated = states.find((state) => isOutdated(state, isIdle));
  if (outdated === undefined) return false;
  const refreshed = await withLease(records, UPKEEP, leaseMs, async () => {
    const sample = await sampleOf(records, states, outdated);
    if (sample !== null) await records.saveSample(outdated.version, sample, outdated.chunks);
    return true;
  });
  return refreshed ?? false;
}

function isOutdated({ version, chunks, sample, isChanged }: SampleState, isIdle: boolean): boolean {
  if (version !== LIBRARY && chunks < MIN_VERSION_CHUNKS) return false;
  if (sample === null) return chunks > 0;
  if (!isChanged) return false;
  if (!isIdle) return chunks > BUSY_GROWTH * sample.ofChunks;
  const isWhole = sample.chunks === sample.ofChunks;
  return isWhole || sample.ageMs > MAX_AGE_MS || Math.abs(chunks - sample.ofChunks) > IDLE_DRIFT * sample.ofChunks;
}

/** Whole pages, from each version its share. */
async function drawSample(
  records: Pick<PointRecords, 'samplePages' | 'read'>,
  versions: ReadonlyArray<Pick<SampleState, 'version' | 'chunks'>>,
  maxChunks: number,
): Promise<PackedSample> {
  const total = versions.reduce((sum, { chunks }) => sum + chunks, 0);
  const share = Math.min(1, maxChunks / Math.max(1, total));
  const packer = createSamplePacker();
  let wanted = 0;
  for (const { version, chunks } of versions) {
    wanted += chunks * share;
    await addPages(records, packer, version, wanted);
  }
  return packer.pack();
}

/** Until the sample has so many chunks. A version's share may be less than a page: the sum over all of them is right. */
async function addPages(
  records: Pick<PointRecords, 'samplePages' | 'read'>,
  packer: SamplePacker,
  version: SampleState['version'],
  chunks: number,
): Promise<void> {
  const missing = Math.ceil(chunks - packer.chunks);
  if (missing <= 0) return;
  const keys = await records.samplePages(version, missing);
  for (let at = 0; at < keys.length && packer.chunks < chunks; at += PAGES_PER_READ)
    for (const page of await records.read(keys.slice(at, at + PAGES_PER_READ)))
      if (packer.chunks < chunks) packer.addPage(page);
}
