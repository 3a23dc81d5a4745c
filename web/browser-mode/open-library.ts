// Opens the library in a worker made of this very script, or beside the page where the browser gives none.

import { grammarsOf, type GrammarData } from '../local/grammar-data.ts';
import type { Call, Reply } from './worker.ts';
import { createLocalLibrary, type LocalLibrary, type Progress } from './browser-library.ts';

export interface Connected {
  readonly library: LocalLibrary;
  readonly runsIn: 'worker' | 'page';
}

const BEGIN_WITHIN_MS = 10_000;
/** Handing over a file costs the page a part of a millisecond; a folder handed over at once would stop it. */
const FILES_A_MESSAGE = 64;

export async function connect(script: string, grammars: GrammarData): Promise<Connected> {
  try {
    return { library: await inWorker(script, grammars), runsIn: 'worker' };
  } catch {
    return { library: createLocalLibrary(grammarsOf(grammars), rest), runsIn: 'page' };
  }
}

/** Lets the page answer its user between two files. */
function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function inWorker(script: string, grammars: GrammarData): Promise<LocalLibrary> {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(url);
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => settle(data, waiting));
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message));
    waiting.clear();
  });
  const call = <T>(
    method: Call['method'],
    given: readonly unknown[],
    tell?: (progress: Progress) => void,
  ): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set((calls += 1), { resolve, reject, tell });
    worker.postMessage({ number: calls, method, given } satisfies Call);
    return promise as Promise<T>;
  };
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no worker')), BEGIN_WITHIN_MS));
  await Promise.race([call('begin', [grammars]), late]);
  URL.revokeObjectURL(url);
  return {
    async ingest(name, given, tell) {
      for (let at = 0; at < given.length; at += FILES_A_MESSAGE)
        await call('give', [given.slice(at, at + FILES_A_MESSAGE)]);
      return call('ingest', [name], tell);
    },
    kept: () => call('kept', []),
    reopen: () => call('reopen', []),
    forget: () => call('forget', []),
    page: (path) => call('page', [path]),
    search: (words, limit) => call('search', [words, limit]),
    export: (form) => call('export', [form]),
  };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly tell: ((progress: Progress) => void) | undefined;
}

function settle(reply: Reply, waiting: Map<number, Waiting>): void {
  const call = waiting.get(reply.number);
  if (reply.kind === 'progress') {
    call?.tell?.(reply.progress as Progress);
    return;
  }
  waiting.delete(reply.number);
  if (reply.kind === 'done') call?.resolve(reply.value);
  else call?.reject(new Error(reply.message));
}
