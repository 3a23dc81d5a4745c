// Resolves a name to all of its IP addresses, within a time limit.

/** All addresses of a name, in the order in which the system would try them. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** More addresses than this are an attack or a mistake; the rest are neither checked nor used. */
const MAX_ADDRESSES = 32;

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

export async function resolveWithin(name: string, resolve: ResolveName, budgetMs: number): Promise<readonly string[]> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DnsFailure('dns-timeout', true)), budgetMs);
  try {
    const addresses = await Promise.race([resolve(name), timeout]);
    if (addresses.length === 0) throw new DnsFailure('dns-no-address', false);
    return addresses.slice(0, MAX_ADDRESSES);
  } catch (error) {
    throw error instanceof DnsFailure ? error : dnsFailureOf(error);
  } finally {
    clearTimeout(timer);
  }
}

function dnsFailureOf(error: unknown): DnsFailure {
  const code = (error as { code?: unknown } | null)?.code;
  // DNS says that the name does not exist. Everything else may be transient.
  if (code === 'ENOTFOUND' || code === 'ENODATA') return new DnsFailure('dns-no-address', false, error);
  return new DnsFailure('dns-error', true, error);
}
