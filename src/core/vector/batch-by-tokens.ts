// Groups texts into batches for a model. Every text of a batch is padded to the longest one, so texts of similar length go
// together, and a batch is bounded by its cost: rows times the longest row.

export interface BatchLimits {
  readonly maxRows: number;
  /** Rows times the tokens of the longest row. */
  readonly maxTokens: number;
}

/**
 * Batches of indexes into `lengths`, longest first, so that a process that will run out of memory does so immediately.
 * Every index is in exactly one batch; a text that exceeds `maxTokens` alone gets its own batch.
 */
export function batchByTokens(lengths: readonly number[], limits: BatchLimits): number[][] {
  const order = lengths.map((_, at) => at).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0) || a - b);
  const batches: number[][] = [];
  let current: number[] = [];
  let longest = 0;
  for (const at of order) {
    const length = lengths[at] ?? 0;
    const isFull = current.length >= limits.maxRows || (current.length + 1) * longest > limits.maxTokens;
    if (current.length === 0 || isFull) {
      current = [];
      batches.push(current);
      longest = length;
    }
    current.push(at);
  }
  return batches;
}
