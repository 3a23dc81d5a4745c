// Changes of a library as an iterable without end: it waits for the next one, and continues after a failure that may pass.

import type { ChangeView } from '../actions/list-changes.ts';
import { PinakesError } from '../core/model/errors.ts';
import { sleep } from './sleep.ts';
import type { CallAction } from './transport.ts';

/**
 * @example
 * for await (const change of library.changes({ since: 'now', source: 'docs' })) console.log(change.kind);
 */
export interface ChangeOptions {
  /** The position of the last change that was seen, or `now`. Without it, everything is listed first. */
  readonly since?: string | undefined;
  /** Only changes of this source. */
  readonly source?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Below the time after which proxies end a request. */
export const WAIT_SECONDS = 25;
const CHANGES_PER_CALL = 500;
export const MIN_RETRY_MS = 250;
export const MAX_RETRY_MS = 15_000;

/** Raises what a call raises, unless a later attempt may succeed. */
export async function* followChanges(
  call: CallAction,
  { since, source, signal }: ChangeOptions,
): AsyncGenerator<ChangeView, void> {
  let position = since;
  let retryMs = MIN_RETRY_MS;
  for (;;) {
    signal?.throwIfAborted();
    const input = { since: position, source, limit: CHANGES_PER_CALL, wait: WAIT_SECONDS };
    const found = await call('list_changes', input, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof PinakesError && error.retryable) return null;
      throw error;
    });
    if (found === null) {
      await sleep(retryMs, signal);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
      continue;
    }
    retryMs = MIN_RETRY_MS;
    yield* found.changes;
    ({ position } = found);
  }
}
