// Reads one file into a packed page. Files are read in workers of their own where the browser has them: the library sends a file
// through a port and gets the page back, while it indexes the pages before.

import type { GrammarFiles } from '../../src/core/chunk/code/grammar-loader.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { createFileExtractor } from './extract-file.ts';
import { packPage, type PackedPage } from './packed-page.ts';
import type { InputFile } from './walk-files.ts';

export type ReadOutcome =
  | { readonly kind: 'page'; readonly page: PackedPage }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'skipped'; readonly reason: string };

export interface FileReader {
  /** `knownHash` is that of the page which a former visit made of this file; null if there is none. */
  read(input: InputFile, knownHash: string | null): Promise<ReadOutcome>;
  /** All extractors and chunkers with their versions. */
  pipeline(): Promise<string>;
}

export function createFileReader(grammars: GrammarFiles): FileReader {
  const extractor = createFileExtractor(grammars);
  return {
    async read({ path, file }, knownHash) {
      const body = new Uint8Array(await file.arrayBuffer());
      if (knownHash !== null && sha256Hex(body) === knownHash) return { kind: 'unchanged' };
      const outcome = await extractor.extract(path, body);
      return outcome.kind === 'page' ? { kind: 'page', page: packPage(outcome.page) } : outcome;
    },
    pipeline: () => extractor.pipeline(),
  };
}

interface ReadCall {
  readonly id: number;
  readonly input: InputFile;
  readonly knownHash: string | null;
}

type ReadReply =
  | { readonly id: number; readonly outcome: ReadOutcome }
  | { readonly id: number; readonly message: string };

/** The side of the worker that reads. */
export function serveReader(port: MessagePort, reader: FileReader): void {
  port.addEventListener('message', ({ data: { id, input, knownHash } }: MessageEvent<ReadCall>) => {
    reader.read(input, knownHash).then(
      (outcome) => port.postMessage({ id, outcome } satisfies ReadReply, buffersOf(outcome)),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        port.postMessage({ id, message } satisfies ReadReply);
      },
    );
  });
  port.start();
}

/** They are moved, not copied. */
function buffersOf(outcome: ReadOutcome): Transferable[] {
  if (outcome.kind !== 'page') return [];
  const { body, text, image } = outcome.page;
  return [body.buffer, text.buffer, ...(image === undefined ? [] : [image.buffer])] as Transferable[];
}

/** The side of the library. */
export function connectReader(port: MessagePort): Pick<FileReader, 'read'> {
  const pending = new Map<number, PromiseWithResolvers<ReadOutcome>>();
  let lastId = 0;
  port.addEventListener('message', ({ data }: MessageEvent<ReadReply>) => {
    const call = pending.get(data.id);
    pending.delete(data.id);
    if ('outcome' in data) call?.resolve(data.outcome);
    else call?.reject(new Error(data.message));
  });
  port.start();
  return {
    read(input, knownHash) {
      const call = Promise.withResolvers<ReadOutcome>();
      pending.set((lastId += 1), call);
      port.postMessage({ id: lastId, input, knownHash } satisfies ReadCall);
      return call.promise;
    },
  };
}
