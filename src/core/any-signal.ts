// Combines the signal of a caller, which may be absent, with our own.

/** Aborted with the first of the two. */
export function anySignal(signal: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  return signal === undefined ? other : AbortSignal.any([signal, other]);
}
