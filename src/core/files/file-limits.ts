// Limits for sources of local files. Reaching one is a warning of the run.

export interface FileSourceLimits {
  readonly maxFileBytes: number;
  /** Total of all files of one source. */
  readonly maxSourceBytes: number;
  readonly maxFiles: number;
}

export const FILE_SOURCE_LIMITS: FileSourceLimits = {
  maxFileBytes: 10 * 1024 * 1024,
  maxSourceBytes: 50 * 1024 * 1024,
  maxFiles: 100_000,
};
