// The public API of `pinakes/sinks`: copies of a library in other systems, kept current from its changes.

import { openNodes } from '../index/qdrant/nodes.ts';
import { createQdrantSink as createSink, type QdrantSink, type QdrantSinkOptions } from '../sink/qdrant-sink.ts';

export { runSink, type SinkOptions, type SinkProgress, type SinkSummary } from '../sink/follow-library.ts';
export { createFolderSink } from '../sink/folder-sink.ts';
export { createJsonlSink, type JsonlSinkOptions } from '../sink/jsonl-sink.ts';
export type { QdrantSink } from '../sink/qdrant-sink.ts';
export type { EmbeddingSpace } from '../core/vector/space.ts';
export type { PageKey, Sink, SinkContent, SinkPage } from '../sink/sink.ts';
export type { ChunkRecord, PageRecord } from '../core/export/records/page-records.ts';

/**
 * @example
 * const options: QdrantOptions = { url: 'http://localhost:6333', collection: 'docs', vectors: false };
 */
export interface QdrantOptions extends QdrantSinkOptions {
  /** Base URL of the server, or of the nodes of a cluster. */
  readonly url: string | readonly string[];
  readonly apiKey?: string | undefined;
}

/**
 * Nothing is sent before the sink is used.
 *
 * @example
 * const sink = createQdrantSink({ url: 'http://localhost:6333', collection: 'docs' });
 * await runSink(library, sink, { follow: true });
 */
export function createQdrantSink({ url, apiKey, ...options }: QdrantOptions): QdrantSink {
  return createSink(openNodes({ urls: typeof url === 'string' ? [url] : url, apiKey }), options);
}
