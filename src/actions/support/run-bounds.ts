// Whether the settings of a crawl are within what the operator allows.

import { pinakesError } from '../../core/model/errors.ts';
import type { RunOverrides } from '../../core/model/source-settings.ts';
import type { RunBounds } from '../action.ts';

/** Raises `input.invalid` for a value that is given and outside its bound. */
export function requireWithinBounds(given: RunOverrides, bounds: RunBounds): void {
  const { concurrency, requestTimeoutMs, pacerJitterMinMs: minMs, pacerJitterMaxMs: maxMs } = given;
  requireAtMost('concurrency', concurrency, { setting: 'crawl.concurrency', value: bounds.concurrency });
  requireAtMost('requestTimeoutMs', requestTimeoutMs, { setting: 'fetch.timeoutMs', value: bounds.requestTimeoutMs });
  if (minMs != null && maxMs != null && minMs > maxMs)
    throw pinakesError('input.invalid', { why: `pacerJitterMinMs (${minMs}) is above pacerJitterMaxMs (${maxMs})` });
}

function requireAtMost(
  name: string,
  given: number | null | undefined,
  bound: { readonly setting: string; readonly value: number },
): void {
  if (given == null || given <= bound.value) return;
  throw pinakesError('input.invalid', {
    why: `${name} is ${given}, and the operator allows at most ${bound.value} (${bound.setting})`,
  });
}
