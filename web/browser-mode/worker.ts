// The worker's half: calls come as messages, answers go back with the number of their call.

import { grammarsOf, type GrammarData } from '../local/grammar-data.ts';
import { createLocalLibrary, type LocalLibrary, type Progress } from './browser-library.ts';
import type { GivenFile } from './walk-files.ts';

export interface Call {
  readonly number: number;
  readonly method: keyof LocalLibrary | 'begin' | 'give';
  readonly given: readonly unknown[];
}

export type Reply =
  | { readonly kind: 'progress'; readonly number: number; readonly progress: unknown }
  | { readonly kind: 'done'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string };

const TELL_EVERY_MS = 50;

export function answerCalls(scope: Pick<Worker, 'postMessage' | 'addEventListener'>): void {
  let library: LocalLibrary | null = null;
  let files: GivenFile[] = [];
  const answer = async ({ number, method, given }: Call): Promise<unknown> => {
    if (method === 'begin') {
      library = createLocalLibrary(grammarsOf(given[0] as GrammarData), async () => undefined);
      return null;
    }
    if (library === null) throw new Error('the library has not begun');
    if (method === 'give') {
      files.push(...(given[0] as readonly GivenFile[]));
      return null;
    }
    const tell = seldom((progress) => scope.postMessage({ kind: 'progress', number, progress } satisfies Reply));
    if (method === 'ingest') {
      const whole = files;
      files = [];
      return library.ingest(given[0] as string, whole, tell);
    }
    const call = library[method] as (...args: unknown[]) => Promise<unknown>;
    return call(...given);
  };
  scope.addEventListener('message', (event) => {
    const call = (event as MessageEvent<Call>).data;
    answer(call).then(
      (value) => scope.postMessage({ kind: 'done', number: call.number, value } satisfies Reply, handedOver(value)),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        scope.postMessage({ kind: 'failed', number: call.number, message } satisfies Reply);
      },
    );
  });
}

/** More often than it can be seen, progress would only keep the page busy. */
function seldom(tell: (progress: Progress) => void): (progress: Progress) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < TELL_EVERY_MS) return;
    last = now;
    tell(progress);
  };
}

/** A bundle goes to the page as it is; a copy of fifty megabytes would stop it. */
function handedOver(value: unknown): Transferable[] {
  const zip = (value as { readonly zip?: unknown } | null)?.zip;
  return zip instanceof Uint8Array ? [zip.buffer] : [];
}
