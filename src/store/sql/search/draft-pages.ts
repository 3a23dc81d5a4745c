// Reads pages off the queue and counts their words. Nothing is written yet, and little is held: texts come some pages at a
// time and are forgotten once they are counted.

import { chunkPath } from '../../../core/chunk/chunk-path.ts';
import type { WordedEntry } from '../../../core/lexical/standalone/lexical-index.ts';
import { createSegmentDraft, type SegmentDraft } from '../../../core/lexical/segment/segment-builder.ts';
import type { WordCounter } from '../../../core/lexical/segment/term-counter.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import { hex } from '../engine/codec.ts';
import { batch } from '../engine/engine.ts';
import type { WriteSteps } from './write-steps.ts';

/** Pages are taken until they have this many chunks together: larger segments cost less merging, and more memory. */
const STEP_CHUNKS = 6000;
/** Chunks that are read and counted before others have their turn: some tens of milliseconds. */
const TURN_CHUNKS = 250;

export interface QueuedRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  /** Grows when the page is settled again: what was counted before is then out of date. */
  readonly round: number;
  readonly n_chunks: number | null;
}

interface WordedRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly title: string;
  readonly ordinal: number;
  readonly headings: string;
  readonly symbol: string | null;
  readonly text: string;
}

export interface DraftedPages {
  readonly version: number;
  readonly taken: readonly QueuedRow[];
  readonly draft: SegmentDraft;
  /** Of the pages that are in the draft, in its order. A page without chunks is not. */
  readonly keys: readonly Uint8Array[];
}

function oldestQueued(forUpdate: string): string {
  return `select q.version_id, q.url_key, q.round, (select n_chunks from pages p where p.version_id = q.version_id and p.url_key = q.url_key) as n_chunks
    from index_queue q order by q.offered_at, q.url_key limit $1 ${forUpdate}`;
}

const chunksOfPages = batch(
  { version_id: 'int', url_key: 'bytes' },
  `select chunks.url_key, pages.url, pages.title, chunks.ordinal, chunks.headings, chunks.symbol, chunks.text
   from chunks join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key, {rows} r
   where chunks.version_id = r.version_id and chunks.url_key = r.url_key`,
);

/** The oldest pages of one version; null where none wait. */
export async function draftPages(
  { read, forUpdate }: WriteSteps,
  limit: number,
  counter: WordCounter,
): Promise<DraftedPages | null> {
  const queued = await read.all<QueuedRow>(oldestQueued(forUpdate), [limit]);
  const [first] = queued;
  if (first === undefined) return null;
  const version = first.version_id;
  const taken = upTo(
    queued.filter((row) => row.version_id === version),
    STEP_CHUNKS,
  );
  const draft = createSegmentDraft({ counter });
  const keys: Uint8Array[] = [];
  for (let rest = taken; rest.length > 0;) {
    const turn = upTo(rest, TURN_CHUNKS);
    rest = rest.slice(turn.length);
    const rows = await read.each<WordedRow>(
      chunksOfPages,
      turn.map(({ url_key: key }) => [version, key]),
    );
    const pages = Map.groupBy(rows, (row) => hex(row.url_key));
    for (const { url_key: key } of turn) {
      const chunks = pages.get(hex(key));
      if (chunks === undefined) continue;
      draft.addPage(chunks.sort((left, right) => left.ordinal - right.ordinal).map(entryOf));
      keys.push(key);
    }
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return { version, taken, draft, keys };
}

/** At least one. */
function upTo(queued: readonly QueuedRow[], mostChunks: number): readonly QueuedRow[] {
  let chunks = 0;
  const end = queued.findIndex((row) => (chunks += row.n_chunks ?? 0) > mostChunks);
  return end === -1 ? queued : queued.slice(0, Math.max(1, end));
}

function entryOf(row: WordedRow): WordedEntry {
  const { title, symbol, text } = row;
  const headings = JSON.parse(row.headings) as string[];
  return { path: chunkPath(row.url as PageUrl), title, chunk: { headings, symbol, text } };
}
