// Keeps a sink equal to a library. A change says only which page to look at; what is written is the page as it is now, so that a repeated
// change is harmless. Without a saved position, or with one that has expired, everything is listed once, and what the library no
// longer has is deleted from the sink.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionOutput } from '../actions/actions.ts';
import type { Library } from '../client/library.ts';
import { chunkRecords, pageRecord } from '../core/export/records/page-records.ts';
import { PinakesError } from '../core/model/errors.ts';
import type { PageKey, Sink, SinkContent, SinkPage } from './sink.ts';

export interface SinkOptions {
  /** Continues with every change until the signal is aborted, instead of ending when the sink is current. */
  readonly follow?: boolean | undefined;
  /** Lists everything again, whatever position is saved. */
  readonly rebuild?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SinkProgress) => void) | undefined;
}

export interface SinkProgress {
  /** Pages that were written or deleted. */
  readonly written: number;
  readonly deleted: number;
  /** The position that was saved last. */
  readonly position: string | null;
}

export interface SinkSummary extends SinkProgress {
  /** Whether everything was listed, and not only what changed. */
  readonly listed: boolean;
  /** What the user should know. */
  readonly notes: readonly string[];
}

type LibraryCall = Pick<Library, 'call'>;
type Changes = ActionOutput<'list_changes'>;
type Change = Exclude<Changes['changes'][number], { readonly kind: 'list-end' }>;

const CHANGES_PER_CALL = 100;
const WAIT_SECONDS = 25;
const READS_AT_ONCE = 4;
const POLL_VECTORS_MS = 1000;

/** An aborted signal ends it in order: what was written stays, and the next call continues. */
export async function runSink(library: LibraryCall, sink: Sink, options: SinkOptions = {}): Promise<SinkSummary> {
  const { follow = false, rebuild = false, signal = new AbortController().signal, onProgress } = options;
  const saved = await sink.open();
  const run = createSinkRun(library, sink, { follow, signal, onProgress });
  try {
    await run(rebuild ? null : saved);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return run.summary();
}

interface RunOptions {
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: SinkOptions['onProgress'];
}

interface SinkRun {
  (from: string | null): Promise<void>;
  summary(): SinkSummary;
}

function createSinkRun(library: LibraryCall, sink: Sink, { follow, signal, onProgress }: RunOptions): SinkRun {
  let [written, deleted, listed] = [0, 0, false];
  let position: string | null = null;
  let waiting = 0;

  /** Read and not yet written; `reached` is the position that they stand for. */
  let pending: SinkPage[] = [];
  let pendingBytes = 0;
  let reached: string | null = null;

  async function write(pages: readonly SinkPage[]): Promise<void> {
    if (pages.length === 0) return;
    await sink.write(pages, signal);
    const removed = pages.filter(({ content }) => content === null).length;
    deleted += removed;
    written += pages.length - removed;
    onProgress?.({ written, deleted, position });
  }

  async function flush(): Promise<void> {
    await write(pending);
    pending = [];
    pendingBytes = 0;
    if (reached !== null && reached !== position) await sink.save(reached);
    position = reached;
  }

  /** Null if the page waits for vectors, and nobody waits for them here. */
  async function read(change: Change): Promise<SinkPage | null> {
    for (;;) {
      signal.throwIfAborted();
      const page = await readPage(library, change, sink.wantsVectors, signal);
      if (page !== 'pending') return page;
      if (!follow) return null;
      await sleep(POLL_VECTORS_MS, undefined, { signal });
    }
  }

  /** Returns whether all of them were read. */
  async function apply({ changes, position: end, hasMore }: Changes): Promise<boolean> {
    const latest = latestOfEachPage(changes);
    for (let at = 0; at < latest.length; at += READS_AT_ONCE) {
      const some = latest.slice(at, at + READS_AT_ONCE);
      const found = await Promise.all(some.map(read));
      for (const [nth, page] of found.entries()) {
        if (page === null) {
          waiting = latest.length - at - nth;
          await flush();
          return false;
        }
        pending.push(page);
        pendingBytes += sizeOf(page);
        reached = some[nth]?.position ?? reached;
      }
      if (pendingBytes >= sink.batchBytes) await flush();
    }
    const isListed = changes.some(({ kind }) => kind === 'list-end');
    if (isListed) {
      await write(pending);
      pending = await pagesToDelete(library, sink, signal);
      listed = true;
    }
    reached = end;
    if (isListed || !hasMore) await flush();
    return true;
  }

  async function run(from: string | null): Promise<void> {
    for (let since = from; ;) {
      signal.throwIfAborted();
      const batch = await listChanges(library, since, follow ? WAIT_SECONDS : 0, signal);
      if (batch === 'expired') {
        since = null;
        continue;
      }
      if (!(await apply(batch)) || (!follow && !batch.hasMore)) return;
      since = batch.position;
    }
  }

  const summary = (): SinkSummary => {
    const vectorNote =
      waiting === 0
        ? []
        : ['Some texts have no vectors yet: run it again when a worker has embedded them, or leave vectors out'];
    return { written, deleted, position, listed, notes: [...sink.notes(), ...vectorNote] };
  };
  return Object.assign(run, { summary });
}

/** A position that is too old, or of another library, is no failure. */
async function listChanges(
  { call }: LibraryCall,
  since: string | null,
  wait: number,
  signal: AbortSignal,
): Promise<Changes | 'expired'> {
  const input = { ...(since === null ? {} : { since }), limit: CHANGES_PER_CALL, wait };
  try {
    return await call('list_changes', input, { signal });
  } catch (error) {
    if (since !== null && error instanceof PinakesError && error.code === 'changes.expired') return 'expired';
    throw error;
  }
}

/** In order. An earlier change of a page is answered by its later one. */
function latestOfEachPage(changes: Changes['changes']): readonly Change[] {
  const latest = new Map<string, Change>();
  for (const change of changes) {
    if (change.kind === 'list-end') continue;
    const key = keyOf(change);
    latest.delete(key);
    latest.set(key, change);
  }
  return [...latest.values()];
}

function keyOf({ versionId, url }: PageKey): string {
  return `${versionId} ${url}`;
}

/** A page that was removed since, or whose source was: a later change says so too. */
const GONE: ReadonlySet<string> = new Set(['page.unknown', 'source.unknown', 'version.unknown']);

async function readPage(
  { call }: LibraryCall,
  { kind, source, version, versionId, url }: Change,
  wantsVectors: boolean,
  signal: AbortSignal,
): Promise<SinkPage | 'pending'> {
  const gone = { versionId, url, content: null };
  if (kind === 'removed') return gone;
  try {
    const reference = { source, version, url };
    const detail = await call('show_page', reference, { signal });
    if (detail.chunkList.length === 0) return gone;
    const vectors = wantsVectors ? await call('page_vectors', reference, { signal }) : null;
    const isPending = vectors !== null && vectors.pending > 0 && vectors.vectors.some(({ vector }) => vector === null);
    return isPending ? 'pending' : { versionId, url, content: contentOf(detail, versionId, vectors) };
  } catch (error) {
    if (error instanceof PinakesError && GONE.has(error.code)) return gone;
    throw error;
  }
}

function contentOf(
  detail: ActionOutput<'show_page'>,
  versionId: number,
  vectors: ActionOutput<'page_vectors'> | null,
): SinkContent {
  const recorded = { ...detail, status: detail.responseMeta?.status ?? null };
  const versioned = { library_version_id: versionId };
  return {
    // A sink hears of changes only, so it cannot tell when a page was last checked.
    page: { ...pageRecord(recorded, ''), ...versioned },
    chunks: chunkRecords(recorded, detail.chunkList).map((record) => ({ ...record, ...versioned })),
    vectors: new Map(
      (vectors?.vectors ?? []).flatMap(({ chunk, vector }) => (vector === null ? [] : [[chunk, vector]])),
    ),
    space: vectors?.space ?? null,
  };
}

function sizeOf({ content }: SinkPage): number {
  if (content === null) return 0;
  const numbers = content.vectors.size * (content.space?.dimensions ?? 0);
  return 2 * content.page.text.length + content.chunks.length * 1000 + numbers * 12;
}

/** The sink is read first: what is added to the library meanwhile is not in it. */
async function pagesToDelete(library: LibraryCall, sink: Sink, signal: AbortSignal): Promise<SinkPage[]> {
  const stored = new Map<string, PageKey>();
  for await (const { versionId, url } of sink.stored()) {
    signal.throwIfAborted();
    stored.set(keyOf({ versionId, url }), { versionId, url });
  }
  for (let since: string | undefined; stored.size > 0;) {
    const input = { ...(since === undefined ? {} : { since }), limit: 1000 };
    const { changes, position } = await library.call('list_changes', input, { signal });
    for (const change of changes) if (change.kind !== 'list-end') stored.delete(keyOf(change));
    if (changes.some(({ kind }) => kind === 'list-end')) break;
    since = position;
  }
  return Array.from(stored.values(), (page) => ({ ...page, content: null }));
}
