// Limits on the cost of any response.

export interface FetchLimits {
  readonly dnsTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** From the request to the complete response head, including DNS lookup and connecting. */
  readonly headerTimeoutMs: number;
  /** Without a byte of the body. */
  readonly idleTimeoutMs: number;
  /** From the request to the last byte. */
  readonly timeoutMs: number;
  /** A body slower than this over a whole window is aborted. */
  readonly minBytesPerSecond: number;
  readonly rateWindowMs: number;
  readonly maxHeaderBytes: number;
  /** After decoding, and after each decoding step. */
  readonly maxBodyBytes: number;
  readonly maxEncodings: number;
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_LIMITS: FetchLimits = {
  dnsTimeoutMs: 5000,
  connectTimeoutMs: 10_000,
  headerTimeoutMs: 15_000,
  idleTimeoutMs: 20_000,
  timeoutMs: 60_000,
  minBytesPerSecond: 1024,
  rateWindowMs: 20_000,
  maxHeaderBytes: 65_536,
  maxBodyBytes: 10_485_760,
  maxEncodings: 2,
  maxRetryAfterMs: 3_600_000,
};
