// Asks DNS for every address of a name, within a budget of time.

import { lookup } from 'node:dns/promises';

/** Every address of a name, in the order in which the system would try them. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** More answers than this are an attack or a mistake; those beyond are neither judged nor used. */
const MAX_ANSWERS = 32;

export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
  readonly code: 'dns-timeout' | 'dns-no-address' | 'dns-error';
  readonly retryable: boolean;

  constructor(code: DnsFailure['code'], retryable: boolean, cause?: unknown) {
    super(code, { cause });
    this.code = code;
    this.retryable = retryable;
  }
}

/** The system's own way, so that /etc/hosts and the search domains of an inner network work. */
export const systemResolve: ResolveName = async (name) => {
  const answers = await lookup(name, { all: true });
  return answers.map(({ address }) => address);
};

export async function resolveWithin(name: string, resolve: ResolveName, budgetMs: number): Promise<readonly string[]> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DnsFailure('dns-timeout', true)), budgetMs);
  try {
    const answers = await Promise.race([resolve(name), late]);
    if (answers.length === 0) throw new DnsFailure('dns-no-address', false);
    return answers.slice(0, MAX_ANSWERS);
  } catch (error) {
    throw error instanceof DnsFailure ? error : dnsFailureOf(error);
  } finally {
    clearTimeout(timer);
  }
}

function dnsFailureOf(error: unknown): DnsFailure {
  const code = (error as { code?: unknown } | null)?.code;
  // The name does not exist, says DNS itself. Everything else may pass.
  if (code === 'ENOTFOUND' || code === 'ENODATA') return new DnsFailure('dns-no-address', false, error);
  return new DnsFailure('dns-error', true, error);
}
