// The worker side. One worker has the library; others read files for it, each through a port that both have.

import {
  createBrowserLibrary,
  unpackGrammars,
  type BrowserLibrary,
  type EmbeddedFiles,
  type GrammarData,
} from './browser-library.ts';
import { connectReader, createInputReader, serveReader, type InputReader } from './read-file.ts';
import type { IngestedSource, Progress } from './read-files.ts';
import type { InputFile } from './walk-files.ts';
import { answerCalls, type Answers, type Endpoint } from './worker-calls.ts';

export type LibraryMethod = keyof BrowserLibrary | 'start' | 'startReader' | 'addReader' | 'addFiles';

const PROGRESS_INTERVAL_MS = 50;

export function serveLibrary(scope: Endpoint): void {
  let library: BrowserLibrary | null = null;
  let files: InputFile[] = [];
  const readers: Array<Pick<InputReader, 'read'>> = [];
  const handle: Answers<LibraryMethod, Progress>['handle'] = async ({ method, args }, report) => {
    if (method === 'start') {
      library = createBrowserLibrary({ ...(args[0] as EmbeddedFiles), readers, yieldToPage: async () => undefined });
      return null;
    }
    if (method === 'startReader') {
      serveReader(args[1] as MessagePort, createInputReader(unpackGrammars(args[0] as GrammarData)));
      return null;
    }
    if (method === 'addReader') {
      readers.push(connectReader(args[0] as MessagePort));
      return null;
    }
    if (library === null) throw new Error('the library has not been started');
    if (method === 'addFiles') {
      files.push(...(args[0] as readonly InputFile[]));
      return null;
    }
    if (method === 'ingest') {
      const allFiles = files;
      files = [];
      return library.ingest({ ...(args[0] as IngestedSource), files: allFiles }, throttle(report));
    }
    const call = library[method] as (...args: unknown[]) => Promise<unknown>;
    return call(...args);
  };
  answerCalls(scope, { handle, transferred });
}

/** Progress that is sent more often than anyone can see only keeps the main thread busy. */
function throttle(report: (progress: Progress) => void): (progress: Progress) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    report(progress);
  };
}

/** A bundle is transferred instead of copied; copying fifty megabytes would block the page. */
function transferred(value: unknown): Transferable[] {
  const zip = (value as { readonly zip?: unknown } | null)?.zip;
  return zip instanceof Uint8Array ? [zip.buffer] : [];
}
