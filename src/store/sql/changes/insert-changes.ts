// The rows of the outbox, inserted at the end of the transaction that changed the pages.

import type { ChunkId } from '../../../core/model/chunk.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import { hex } from '../engine/codec.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { CHANGE_KIND } from '../engine/states.ts';

const insertChange = batch(
  {
    position: 'int',
    version_id: 'int',
    source_id: 'int',
    kind: 'int',
    url_key: 'bytes',
    url: 'text',
    chunk_digest: 'bytes',
    added: 'bytes',
    removed: 'bytes',
  },
  `insert into changes (position, at, version_id, source_id, kind, url_key, url, chunk_digest, added, removed)
   select r.position, now_ms(), r.version_id, r.source_id, r.kind, r.url_key, r.url, r.chunk_digest, r.added, r.removed from {rows} r where true`,
);

export interface NewChange {
  readonly version: number;
  readonly source: number;
  readonly key: Uint8Array;
  readonly url: PageUrl;
  readonly hadChunks: boolean;
  /** Digest of the page's current chunks; null if it has none. */
  readonly digest: Uint8Array | null;
  /** Ids of chunks, packed. */
  readonly added: Uint8Array;
  readonly removed: Uint8Array;
}

export async function insertChanges(tx: Executor, changes: readonly NewChange[], first: number): Promise<void> {
  await tx.each(
    insertChange,
    changes.map((change, i) => [
      first + i,
      change.version,
      change.source,
      kindOf(change),
      change.key,
      change.url,
      change.digest,
      change.added,
      change.removed,
    ]),
  );
}

/** To a reader, a page is what can be found: one without chunks is not there. */
function kindOf({ hadChunks, digest }: NewChange): number {
  if (digest === null) return CHANGE_KIND.removed;
  return hadChunks ? CHANGE_KIND.changed : CHANGE_KIND.new;
}

const ID_BYTES = 32;

/** A row has its ids one after the other. */
export function packIds(ids: readonly string[]): Uint8Array {
  return Buffer.from(ids.join(''), 'hex');
}

export function chunkIds(bytes: Uint8Array): readonly ChunkId[] {
  return Array.from(
    { length: bytes.length / ID_BYTES },
    (_, i) => hex(bytes.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)) as ChunkId,
  );
}
