// Reads one file into a packed page. Files are read in separate workers where the browser has them: the library sends a file
// through a port and gets the page back, while it indexes the pages before.

import type { GrammarFiles } from '../../src/core/chunk/code/grammar-loader.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { createFileExtractor } from './extract-file.ts';
import { packPage, type PackedPage } from './packed-page.ts';
import type { InputFile } from './walk-files.ts';
import { answerCalls, createCaller } from './worker-calls.ts';

export type ReadOutcome =
  | { readonly kind: 'page'; readonly page: PackedPage }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'skipped'; readonly reason: string };

export interface InputReader {
  /** `knownHash` is that of the page which a former visit made of this file; null if there is none. */
  read(input: InputFile, knownHash: string | null): Promise<ReadOutcome>;
  /** All extractors and chunkers with their versions. */
  pipeline(): Promise<string>;
}

export function createInputReader(grammars: GrammarFiles): InputReader {
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

/** The side of the worker that reads. */
export function serveReader(port: MessagePort, reader: InputReader): void {
  answerCalls(port, {
    handle: ({ args: [input, knownHash] }) => reader.read(input as InputFile, knownHash as string | null),
    transferred: (outcome) => buffersOf(outcome as ReadOutcome),
  });
}

function buffersOf(outcome: ReadOutcome): Transferable[] {
  if (outcome.kind !== 'page') return [];
  const { body, text, image } = outcome.page;
  return [body.buffer, text.buffer, ...(image === undefined ? [] : [image.buffer])] as Transferable[];
}

/** The side of the library. */
export function connectReader(port: MessagePort): Pick<InputReader, 'read'> {
  const worker = createCaller<'read'>(port);
  return { read: (...args) => worker.call('read', args) };
}
