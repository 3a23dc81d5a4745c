// A file that is the answer of a request: what an action writes goes to whoever asked, no faster than it is taken. Until
// the first bytes are there, a failure is still an ordinary refusal.

import type { FileSink } from '../../platform/write-file.ts';

export interface ResponseSink extends FileSink {
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves with the first bytes. */
  readonly begun: Promise<void>;
}

/** Archives come in thousands of small pieces. */
const GATHER_BYTES = 256 * 1024;

export function createResponseSink(name: string): ResponseSink {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let pieces: Uint8Array[] = [];
  let waiting = 0;
  let isOpen = true;

  async function flush(): Promise<void> {
    const gathered = Buffer.concat(pieces);
    pieces = [];
    waiting = 0;
    begin();
    if (gathered.byteLength > 0) await writer.write(gathered);
  }

  return {
    path: name,
    body: readable,
    begun,
    async write(bytes) {
      pieces.push(bytes);
      waiting += bytes.byteLength;
      if (waiting >= GATHER_BYTES) await flush();
    },
    async commit() {
      await flush();
      isOpen = false;
      await writer.close();
    },
    async discard() {
      if (!isOpen) return;
      isOpen = false;
      await writer.abort(new Error('the file was not finished'));
    },
  };
}
