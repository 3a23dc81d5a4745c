// How much of a folder is read. Each cut becomes a warning of the run.

export interface LocalLimits {
  readonly maxFileBytes: number;
  /** Of all files of one source together. */
  readonly maxBatchBytes: number;
  readonly maxFiles: number;
}

export const LOCAL_LIMITS: LocalLimits = {
  maxFileBytes: 10 * 1024 * 1024,
  maxBatchBytes: 50 * 1024 * 1024,
  maxFiles: 100_000,
};
