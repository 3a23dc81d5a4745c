// One signal for a caller that may have none, and a reason of our own to stop.

/** Aborted with the first of the two. */
export function eitherSignal(signal: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  return signal === undefined ? other : AbortSignal.any([signal, other]);
}
