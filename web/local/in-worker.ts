// The worker's half: calls come as messages, answers go back with the number of their call.

import { grammarsOf, type GrammarData } from './grammar-data.ts';
import { createLocalLibrary, type LocalLibrary } from './local-library.ts';

export interface Call {
  readonly number: number;
  readonly method: keyof LocalLibrary | 'begin';
  readonly given: readonly unknown[];
}

export type Reply =
  | { readonly kind: 'progress'; readonly number: number; readonly progress: unknown }
  | { readonly kind: 'done'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string };

export function answerCalls(scope: Pick<Worker, 'postMessage' | 'addEventListener'>): void {
  let library: LocalLibrary | null = null;
  const answer = async ({ number, method, given }: Call): Promise<unknown> => {
    if (method === 'begin') {
      library = createLocalLibrary(grammarsOf(given[0] as GrammarData), async () => undefined);
      return null;
    }
    if (library === null) throw new Error('the library has not begun');
    const tell = (progress: unknown): void => scope.postMessage({ kind: 'progress', number, progress } satisfies Reply);
    const call = library[method] as (...args: unknown[]) => Promise<unknown>;
    return call(...given, tell);
  };
  scope.addEventListener('message', (event) => {
    const call = (event as MessageEvent<Call>).data;
    answer(call).then(
      (value) => scope.postMessage({ kind: 'done', number: call.number, value } satisfies Reply),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        scope.postMessage({ kind: 'failed', number: call.number, message } satisfies Reply);
      },
    );
  });
}
