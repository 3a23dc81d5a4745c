// Maps network errors to outcomes that say whether a retry makes sense.

import type { ErrorCode } from '../../core/model/errors.ts';
import { errorCode, isTlsCode } from '../system-error-code.ts';
import { GuardRefusal } from './address-guard.ts';
import type { FetchOutcome } from '../port.ts';
import { DnsFailure } from './resolve-name.ts';

type Failed = Extract<FetchOutcome, { kind: 'failed' }>;

/** Codes of Node and undici, and what they mean here. An unlisted code counts as a transient network failure. */
const BY_CODE: Readonly<Record<string, readonly [code: ErrorCode, reason: string, retryable: boolean]>> = {
  UND_ERR_CONNECT_TIMEOUT: ['fetch.timeout', 'connect-timeout', true],
  ETIMEDOUT: ['fetch.timeout', 'connect-timeout', true],
  UND_ERR_HEADERS_OVERFLOW: ['fetch.malformed', 'headers-too-large', false],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['fetch.incomplete', 'incomplete-body', true],
  UND_ERR_SOCKET: ['fetch.incomplete', 'connection-closed', true],
  UND_ERR_INVALID_ARG: ['input.invalid', 'invalid-request', false],
  ECONNRESET: ['fetch.failed', 'connection-reset', true],
  EMFILE: ['fetch.exhausted', 'EMFILE', true],
  ENFILE: ['fetch.exhausted', 'ENFILE', true],
  ENOBUFS: ['fetch.exhausted', 'ENOBUFS', true],
  ENOMEM: ['fetch.exhausted', 'ENOMEM', true],
  ECONNREFUSED: ['fetch.failed', 'connection-refused', true],
};

export function networkFailure(error: unknown): Failed {
  if (error instanceof GuardRefusal) return failed('fetch.blocked-address', error.rule, false);
  if (error instanceof DnsFailure) {
    const code = error.code === 'dns-timeout' ? 'fetch.timeout' : 'fetch.failed';
    return failed(code, error.code, error.retryable);
  }
  const code = causeCode(error);
  const entry = BY_CODE[code];
  if (entry !== undefined) return failed(...entry);
  if (isParserError(error)) {
    // Either the connection ended in the middle of a response, or the server does not speak HTTP, perhaps on purpose.
    const isCutShort = (error as Error).message.includes('Invalid EOF state');
    return isCutShort
      ? failed('fetch.incomplete', 'incomplete-body', true)
      : failed('fetch.malformed', 'not-http', false);
  }
  if (isTlsCode(code)) return failed('fetch.tls', code, false);
  return failed('fetch.failed', code === '' ? 'network-error' : code, true);
}

export function failed(code: ErrorCode, reason: string, retryable: boolean, status: number | null = null): Failed {
  return { kind: 'failed', code, reason, status, retryable };
}

function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}

function causeCode(error: unknown): string {
  const code = errorCode(error);
  return code === '' || code === 'UND_ERR' ? errorCode((error as { cause?: unknown } | null)?.cause) : code;
}
