// Keeps a sink equal to a library. A change says only which page to look at; what is written is the page as it is now, so that a repeated
// change is harmless. Without a saved position, or with one that has expired, everything is listed once, and what the library no
// longer has is deleted from the sink.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionOutput } from '../actions/actions.ts';
import { MAX_RETRY_MS, MIN_RETRY_MS, WAIT_SECONDS } from '../client/follow-changes.ts';
import type { Library } from '../client/library.ts';
import { chunkRecords, pageRecord } from '../core/export/records/page-records.ts';
import { PinakesError } from '../core/model/errors.ts';
import { gonePages, keyOf } from './gone-pages.ts';
import type { Sink, SinkContent, SinkPage } from './sink.ts';

/**
 * @example
 * const options: SinkOptions = { follow: true, signal: AbortSignal.timeout(60_000) };
 */
export interface SinkOptions {
  /** Continues with every change until the signal is aborted, instead of ending when the sink is current. */
  readonly follow?: boolean | undefined;
  /** Lists everything again, whatever position is saved. */
  readonly rebuild?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SinkProgress) => void) | undefined;
}

/**
 * @example
 * const onProgress = ({ written, deleted }: SinkProgress): void => console.error(written, deleted);
 */
export interface SinkProgress {
  /** Pages that were written or deleted. */
  readonly written: number;
  readonly deleted: number;
  /** The position that was saved last. */
  readonly position: string | null;
}

/**
 * @example
 * const report = ({ written, notes }: SinkSummary): string => [`${written} pages`, ...notes].join('\n');
 */
export interface SinkSummary extends SinkProgress {
  /** Whether everything was listed, and not only what changed. */
  readonly listed: boolean;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

type LibraryCall = Pick<Library, 'call'>;
type Changes = ActionOutput<'list_changes'>;
type Change = Exclude<Changes['changes'][number], { readonly kind: 'list-end' }>;

const CHANGES_PER_CALL = 100;
const READS_AT_ONCE = 4;
const POLL_VECTORS_MS = 1000;
/** Pauses between writes of a sink that rewrites its copy, in times of a write. */
const WRITE_PAUSES = 10;

/**
 * An aborted signal ends it gracefully: what was written remains, and the next call continues.
 *
 * @example
 * const sink = createJsonlSink({ file: 'chunks.jsonl' });
 * const { written } = await runSink(library, sink);
 * await sink.close();
 */
export async function runSink(library: LibraryCall, sink: Sink, options: SinkOptions = {}): Promise<SinkSummary> {
  const { follow = false, rebuild = false, signal = new AbortController().signal, onProgress } = options;
  const saved = await sink.open().catch(async (error: unknown) => {
    await sink.release?.();
    throw error;
  });
  const run = createSinkRun(library, sink, { follow, signal, onProgress });
  try {
    await run(rebuild ? null : saved);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await sink.release?.();
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
  const writer = createWriter(sink, signal, onProgress);
  let [listed, isWaiting] = [false, false];

  /** Null if the page still waits for its vectors and the caller does not. */
  async function read(change: Change): Promise<SinkPage | null> {
    for (;;) {
      signal.throwIfAborted();
      const page = await readPage(library, change, sink.wantsVectors, signal);
      if (page !== 'pending') return page;
      if (!follow) return null;
      await sleep(POLL_VECTORS_MS, undefined, { signal });
    }
  }

  async function readSome(some: readonly Change[]): Promise<void> {
    for (const [nth, page] of (await Promise.all(some.map(read))).entries()) {
      isWaiting ||= page === null;
      if (page !== null && !isWaiting) writer.add(page, some[nth]?.position ?? null);
    }
  }

  async function deleteGone(): Promise<void> {
    for await (const pages of gonePages(library, sink, signal)) {
      for (const page of pages) writer.add({ ...page, content: null }, null);
      await writer.write();
    }
  }

  /** Returns whether all of them were read. */
  async function apply({ changes, position, hasMore }: Changes): Promise<boolean> {
    const latest = latestOfEachPage(changes);
    for (let at = 0; at < latest.length; at += READS_AT_ONCE) {
      await readSome(latest.slice(at, at + READS_AT_ONCE));
      if (isWaiting || writer.isFull()) await writer.flush();
      if (isWaiting) return false;
    }
    const isListEnd = changes.some(({ kind }) => kind === 'list-end');
    if (isListEnd) {
      await writer.write();
      await deleteGone();
    }
    listed ||= isListEnd;
    writer.reach(position);
    if (isListEnd || (!hasMore && (!follow || writer.pauseMs() === 0))) await writer.flush();
    return true;
  }

  /** Returns where to continue; undefined at the end. */
  async function step(since: string | null): Promise<string | null | undefined> {
    const waitSeconds = writer.isEmpty() ? WAIT_SECONDS : Math.min(WAIT_SECONDS, Math.ceil(writer.pauseMs() / 1000));
    const batch = await listChanges(library, since, follow ? waitSeconds : 0, signal);
    if (batch === 'expired') return null;
    const isEnd = !(await apply(batch)) || (!follow && !batch.hasMore);
    return isEnd ? undefined : batch.position;
  }

  const summary = (): SinkSummary => {
    const notes = [...sink.notes(), ...(isWaiting ? [WAITING] : [])];
    return { ...writer.progress(), listed, notes };
  };
  const run = (from: string | null): Promise<void> => runSteps(step, writer, from, { follow, signal });
  return Object.assign(run, { summary });
}

type Step = (since: string | null) => Promise<string | null | undefined>;

async function runSteps(
  step: Step,
  writer: SinkWriter,
  from: string | null,
  { follow, signal }: Pick<RunOptions, 'follow' | 'signal'>,
): Promise<void> {
  let next: string | null | undefined = from;
  for (let retryMs: number | null = null; next !== undefined;) {
    signal.throwIfAborted();
    try {
      next = await step(next);
      retryMs = MIN_RETRY_MS;
    } catch (error) {
      // If no step ever succeeded, the caller made a mistake; otherwise it is an outage.
      if (!follow || retryMs === null || !(error instanceof PinakesError) || !error.retryable) throw error;
      await sleep(retryMs, undefined, { signal });
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
      writer.discard();
      next = writer.progress().position ?? from;
    }
  }
}

const WAITING = 'Some texts have no vectors yet: run it again when a worker has embedded them, or leave vectors out';

/** Collects pages, so that a sink which rewrites much for each batch is given few. */
interface SinkWriter {
  /** `reached` is the position that stands for it and all before it; null if there is none yet. */
  add(page: SinkPage, reached: string | null): void;
  reach(position: string): void;
  isFull(): boolean;
  isEmpty(): boolean;
  /** How long to collect changes before the next write, so that most of the time is not spent on writing. */
  pauseMs(): number;
  write(): Promise<void>;
  /** Writes, and saves the position. */
  flush(): Promise<void>;
  /** Forgets what was not written. */
  discard(): void;
  progress(): SinkProgress;
}

function createWriter(sink: Sink, signal: AbortSignal, onProgress: SinkOptions['onProgress']): SinkWriter {
  let [written, deleted, bytes] = [0, 0, 0];
  let position: string | null = null;
  let reached: string | null = null;
  const pages = new Map<string, SinkPage>();
  let [writeMs, writtenAt] = [0, -Infinity];
  const progress = (): SinkProgress => ({ written, deleted, position });

  async function write(): Promise<void> {
    if (pages.size === 0) return;
    const startedAt = performance.now();
    await sink.write([...pages.values()], signal);
    writtenAt = performance.now();
    writeMs = writtenAt - startedAt;
    const removed = [...pages.values()].filter(({ content }) => content === null).length;
    deleted += removed;
    written += pages.size - removed;
    pages.clear();
    bytes = 0;
    onProgress?.(progress());
  }

  return {
    add(page, at) {
      const key = keyOf(page);
      const earlier = pages.get(key);
      bytes += sizeOf(page) - (earlier === undefined ? 0 : sizeOf(earlier));
      pages.set(key, page);
      reached = at ?? reached;
    },
    reach: (at) => void (reached = at),
    isFull: () => bytes >= sink.batchBytes,
    isEmpty: () => pages.size === 0,
    pauseMs: () =>
      sink.rewritesAll === true ? Math.max(0, WRITE_PAUSES * writeMs - (performance.now() - writtenAt)) : 0,
    write,
    async flush() {
      await write();
      if (reached !== null && reached !== position) await sink.save(reached);
      position = reached;
    },
    discard() {
      pages.clear();
      bytes = 0;
      reached = position;
    },
    progress,
  };
}

/** A position that is too old, or of another library, is an answer and not a failure. */
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

/** A page that was removed since, or whose source was: a later change reports it too. */
const REMOVED_CODES: ReadonlySet<string> = new Set(['page.unknown', 'source.unknown', 'version.unknown']);

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
    const vectors = wantsVectors ? await call('list_vectors', reference, { signal }) : null;
    const isPending = vectors !== null && vectors.pending > 0 && vectors.vectors.some(({ vector }) => vector === null);
    return isPending ? 'pending' : { versionId, url, content: contentOf(detail, versionId, vectors) };
  } catch (error) {
    if (error instanceof PinakesError && REMOVED_CODES.has(error.code)) return gone;
    throw error;
  }
}

function contentOf(
  detail: ActionOutput<'show_page'>,
  versionId: number,
  vectors: ActionOutput<'list_vectors'> | null,
): SinkContent {
  const recorded = { ...detail, status: detail.responseMeta?.status ?? null };
  const versioned = { library_version_id: versionId };
  return {
    // A sink hears of changes only, so it cannot tell when a page was last checked.
    page: { ...pageRecord(recorded, ''), ...versioned },
    chunks: chunkRecords(recorded, detail.chunkList).map((record) => ({ ...record, ...versioned })),
    vectors: new Map(
      (vectors?.vectors ?? []).flatMap(({ chunkId, vector }) => (vector === null ? [] : [[chunkId, vector]])),
    ),
    space: vectors?.space ?? null,
  };
}

function sizeOf({ content }: SinkPage): number {
  if (content === null) return 0;
  const numbers = content.vectors.size * (content.space?.dimensions ?? 0);
  return 2 * content.page.text.length + content.chunks.length * 1000 + numbers * 12;
}
