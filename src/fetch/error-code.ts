// The code that Node, OpenSSL or undici put on an error.

export function errorCode(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** OpenSSL and Node name the troubles of certificates and handshakes in several styles. */
export function isTlsCode(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|UNABLE_TO_)|CERT|^(EPROTO|HOSTNAME_MISMATCH|INVALID_CA)$/.test(code);
}
