// A file that is the response to a request: what an action writes goes to the client, with backpressure. Until the first
// bytes are sent, an error is still an ordinary error response.

import { createBufferedWriter, type FileWriter } from '../../platform/user-files.ts';

export interface ResponseWriter extends FileWriter {
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves when the first bytes are written. */
  readonly started: Promise<void>;
}

const BUFFER_BYTES = 256 * 1024;

export function createResponseWriter(name: string): ResponseWriter {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { add, flush } = createBufferedWriter(BUFFER_BYTES, async (batch) => {
    start();
    if (batch.byteLength > 0) await writer.write(batch);
  });
  let isOpen = true;

  return {
    path: name,
    body: readable,
    started,
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
