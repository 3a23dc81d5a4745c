// The built-in index with the document frequencies of an external one: from samples of the library and of its large versions. A term that
// the sample hardly has is counted exactly, up to as many chunks as an external index counts pages.

import { createFrequencies } from '../../../src/index/qdrant/term-frequencies.ts';
import type { Collections } from '../../../src/index/qdrant/collections.ts';
import { sampleOf } from '../../../src/index/qdrant/refresh-samples.ts';
import { termId } from '../../../src/index/qdrant/filter-payload.ts';
import type { FoundNumber, PointRecords, PackedSample } from '../../../src/ports/point-records.ts';
import type { IndexReader } from '../../../src/core/lexical/query/index-reader.ts';
import type { VersionId } from '../../../src/core/model/run.ts';

export async function withSampledFrequencies(index: IndexReader, records: PointRecords): Promise<IndexReader> {
  const samples = new Map<VersionId, PackedSample>();
  const states = await records.sampleStates();
  for (const state of states) {
    const sample = await sampleOf(records, states, state);
    if (sample !== null) samples.set(state.version, sample);
  }
  const drawn = states.map((state) => {
    const sample = samples.get(state.version);
    const known = sample && { chunks: sample.chunks, ofChunks: state.chunks, ageMs: 0, revision: 0 };
    return { ...state, sample: known ?? null };
  });
  const bytes = [...samples.values()].reduce((sum, { terms }) => sum + terms.length, 0);
  console.error(`${samples.size} samples, ${Math.round(bytes / 1000)} kB`);
  const frequencies = createFrequencies({
    ...records,
    sampleStates: async () => drawn,
    sample: async (version) => samples.get(version) ?? null,
    find: async (numbers) => numbers.map((number) => ({ number, isCurrent: true }) as FoundNumber),
  });
  return {
    ...index,
    suggest: (versions, word) => frequencies.suggest(versions, word),
    async frequencies(versions, terms) {
      const exact = await index.frequencies(versions, terms);
      const counts = new Map(terms.map((term, at) => [termId(term), exact.docFrequencies[at] ?? 0]));
      const pagesWith: Collections['pagesWith'] = async (term, _must, limit) =>
        Array.from({ length: Math.min(limit, counts.get(term) ?? 0) }, (_, id) => ({ id, score: 1 }));
      return frequencies.frequencies({ pagesWith } as Collections, versions, terms, { timeoutMs: 0 });
    },
  };
}
