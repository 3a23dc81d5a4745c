// Error codes set by Node, OpenSSL and undici.

export function errorCode(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** OpenSSL and Node name certificate and handshake errors in several styles. */
export function isTlsCode(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|UNABLE_TO_)|CERT|^(EPROTO|HOSTNAME_MISMATCH|INVALID_CA)$/.test(code);
}

/** The code of a system error, such as ENOENT. Rethrows an error that has none. */
export function requireErrorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  throw error;
}
