// Compares a sample of the search index with the chunks that it was built from.

import { indexFingerprint } from '../../../core/lexical/segment/index-fingerprint.ts';
import { decodePostings } from '../../../core/lexical/segment/postings.ts';
import { createSegmentBuilder, type SegmentTerm } from '../../../core/lexical/segment/segment-builder.ts';
import { createTermCounter, type TermCounter } from '../../../core/lexical/segment/term-counter.ts';
import type { Violation } from '../../port.ts';
import type { Executor } from '../engine/engine.ts';
import { SEARCHED_STATES_SQL } from '../engine/states.ts';
import { readEntries } from './index-pages.ts';
import { unpackStarts } from './page-sizes.ts';
import { selectPostings } from './segment-tables.ts';

const MAX_PAGES = 50;
const MAX_TERMS_PER_PAGE = 40;

/** Segments of the current tokenizer that are not about to be indexed again. */
const CURRENT = `g.index_fingerprint = $1 and g.state in ${SEARCHED_STATES_SQL}
  and not exists (select 1 from index_queue q where q.version_id = s.version_id and q.url_key = s.url_key)`;
const selectSample = `select s.version_id, s.url_key, s.segment_id, s.page_index, g.page_sizes
  from (select version_id, url_key, segment_id, page_index from search_pages order by random() limit ${MAX_PAGES}) s
  join search_segments g on g.id = s.segment_id where ${CURRENT}`;
const selectSame = `select 1 as one from search_pages s join search_segments g on g.id = s.segment_id
  where ${CURRENT} and s.version_id = $2 and s.url_key = $3 and s.segment_id = $4 and s.page_index = $5`;

interface SampledPage {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly segment_id: number;
  readonly page_index: number;
  readonly page_sizes: Uint8Array;
}

/** Pages that a search would not find by the words in them. */
export async function checkIndexSample(reader: Executor): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const counter = createTermCounter();
  for (const page of await reader.all<SampledPage>(selectSample, [indexFingerprint])) {
    const missing = await findMissingTerm(reader, page, counter);
    if (missing === null || !(await isSame(reader, page))) continue;
    violations.push({
      invariant: 'sample',
      what: 'pages are found by their words',
      row: `${missing.path} is not found by \u201c${missing.term}\u201d`,
      remedy: 'reindex',
    });
  }
  return violations;
}

/** It may have been changed, removed or indexed again while it was compared. */
async function isSame(reader: Executor, page: SampledPage): Promise<boolean> {
  const key = [indexFingerprint, page.version_id, page.url_key, page.segment_id, page.page_index];
  return (await reader.all(selectSame, key)).length > 0;
}

async function findMissingTerm(
  reader: Executor,
  { version_id: version, url_key: key, segment_id: segment, page_index: page, page_sizes: sizes }: SampledPage,
  counter: TermCounter,
): Promise<{ readonly path: string; readonly term: string } | null> {
  const [entries] = await readEntries(reader, version, [key]);
  if (entries === undefined) return null;
  const builder = createSegmentBuilder({ counter });
  builder.addPage(entries);
  const terms = spread([...builder.terms()], MAX_TERMS_PER_PAGE);
  const stored = await reader.each<{ term: string; bytes: Uint8Array }>(
    selectPostings,
    terms.map(({ term }) => [segment, term]),
  );
  const byTerm = new Map(stored.map((row) => [row.term, row.bytes]));
  const firstChunk = unpackStarts(sizes)[page] ?? 0;
  const missing = terms.find((term) => !contains(byTerm.get(term.term), term, firstChunk));
  return missing === undefined ? null : { path: entries[0]?.path ?? '', term: missing.term };
}

function spread<T>(items: readonly T[], max: number): readonly T[] {
  const step = Math.max(1, items.length / max);
  return Array.from({ length: Math.min(items.length, max) }, (_, i) => items[Math.floor(i * step)] as T);
}

/** Whether the postings contain those of a page, whose first chunk has this number in the segment. */
function contains(postings: Uint8Array | undefined, expected: SegmentTerm, firstChunk: number): boolean {
  if (postings === undefined) return false;
  const all = decodePostings(postings);
  const own = decodePostings(expected.bytes);
  const impacts = new Map<number, number>();
  for (let at = 0; at < all.count; at += 1) impacts.set(all.chunks[at] ?? 0, all.impacts[at] ?? 0);
  for (let at = 0; at < own.count; at += 1)
    if (impacts.get(firstChunk + (own.chunks[at] ?? 0)) !== own.impacts[at]) return false;
  return true;
}
