// A file that is the answer of a request: what an action writes goes to whoever asked, no faster than it is taken. Until
// the first bytes are there, a failure is still an ordinary refusal.

import { gatherBytes } from '../../platform/gather-bytes.ts';
import type { FileSink } from '../../platform/user-files.ts';

export interface ResponseSink extends FileSink {
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves with the first bytes. */
  readonly begun: Promise<void>;
}

const GATHER_BYTES = 256 * 1024;

export function createResponseSink(name: string): ResponseSink {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { add, flush } = gatherBytes(GATHER_BYTES, async (gathered) => {
    begin();
    if (gathered.byteLength > 0) await writer.write(gathered);
  });
  let isOpen = true;

  return {
    path: name,
    body: readable,
    begun,
    write: add,
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
