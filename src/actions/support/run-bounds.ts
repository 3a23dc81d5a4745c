// Whether the settings of a crawl are within what the operator allows.

import { pinakesError } from '../../core/model/errors.ts';
import type { RunOverrides } from '../../core/model/source-settings.ts';
import type { RunBounds } from '../action.ts';

/** Raises `input.invalid` for a value that is given and outside its bound. */
export function requireWithinBounds(provided: RunOverrides, bounds: RunBounds): void {
  const { concurrency, requestTimeoutMs, requestJitterMinMs: minMs, requestJitterMaxMs: maxMs } = provided;
  requireAtMost('concurrency', concurrency, { setting: 'crawl.concurrency', value: bounds.concurrency });
  requireAtMost('requestTimeoutMs', requestTimeoutMs, { setting: 'fetch.timeoutMs', value: bounds.requestTimeoutMs });
  if (minMs != null && maxMs != null && minMs > maxMs)
    throw pinakesError('input.invalid', {
      reason: `requestJitterMinMs (${minMs}) is above requestJitterMaxMs (${maxMs})`,
    });
}

function requireAtMost(
  name: string,
  provided: number | null | undefined,
  bound: { readonly setting: string; readonly value: number },
): void {
  if (provided == null || provided <= bound.value) return;
  throw pinakesError('input.invalid', {
    reason: `${name} is ${provided}, and the operator allows at most ${bound.value} (${bound.setting})`,
  });
}
