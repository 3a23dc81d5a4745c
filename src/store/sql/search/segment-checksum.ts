// The checksum of a segment: the sum over its terms, so that it grows with each batch of terms, in whatever order they are written.

import { crc32 } from 'node:zlib';
import type { SegmentTerm } from '../../../core/lexical/segment/segment-builder.ts';
import type { Violation } from '../../port.ts';
import type { Executor } from '../engine/engine.ts';
import { SEARCHED_STATES_SQL, SEGMENT_STATE } from '../engine/states.ts';

/** A sum of two numbers below it is exact in a double. */
const MODULUS = 2 ** 48;

const addToChecksum = `update search_segments set checksum = (checksum + $2) % ${MODULUS} where id = $1 and state in (${SEGMENT_STATE.filling}, ${SEGMENT_STATE.merging}) returning id`;

/** False if the segment is gone, or is not being written any more. */
export async function addChecksum(tx: Executor, segment: number, checksum: number): Promise<boolean> {
  return (await tx.all(addToChecksum, [segment, checksum])).length > 0;
}

/** The checksum of two sets of terms together. */
export function sumOfChecksums(a: number, b: number): number {
  return (a + b) % MODULUS;
}

export function checksumOf(terms: Iterable<SegmentTerm>): number {
  let sum = 0;
  for (const { term, count, bytes } of terms) sum = sumOfChecksums(sum, crc32(bytes, crc32(term, count)));
  return sum;
}

const BATCH_TERMS = 8000;

const selectChecked = `select g.id, g.checksum, sources.name as source from search_segments g join versions on versions.id = g.version_id
  join sources on sources.id = versions.source_id where g.state in ${SEARCHED_STATES_SQL}
    and exists (select 1 from search_pages s where s.segment_id = g.id) order by g.id`;
const selectTerms = `select term, chunks as count, postings as bytes from search_postings where segment_id = $1 and term > $2 order by term limit ${BATCH_TERMS}`;
const selectStillSearched = `select 1 as one from search_segments where id = $1 and state in ${SEARCHED_STATES_SQL}`;

/** Segments with current pages whose postings are not those that were written. Reads all of them. */
export async function checkSegments(reader: Executor): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const segments = await reader.all<{ id: number; checksum: number; source: string }>(selectChecked);
  for (const { id, checksum, source } of segments) {
    if ((await readChecksum(reader, id)) === checksum) continue;
    // It may have been merged and dropped while it was read.
    const [searched] = await reader.all(selectStillSearched, [id]);
    if (searched === undefined) continue;
    const row = `segment ${id} of ${source}`;
    violations.push({
      invariant: 'checksum',
      what: 'the search index is as it was written',
      row,
      remedy: 'reindex',
    });
  }
  return violations;
}

async function readChecksum(reader: Executor, segment: number): Promise<number> {
  let sum = 0;
  let after = '';
  for (;;) {
    const rows = await reader.all<SegmentTerm>(selectTerms, [segment, after]);
    sum = sumOfChecksums(sum, checksumOf(rows));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_TERMS) return sum;
    after = last.term;
  }
}
