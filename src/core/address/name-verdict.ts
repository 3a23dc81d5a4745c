// Decides, before any DNS question, whether a host name may be asked for at all.

import type { GuardPolicy } from '../ssrf/guard-policy.ts';
import { INTERNAL_SUFFIXES, METADATA_NAMES } from '../ssrf/special-ranges.table.ts';

export type NameVerdict =
  | {
      readonly admit: true;
      /** `opened-only`: a name of an inner network, which may lead to nothing but what the operator opened. */
      readonly leadsTo: 'loopback' | 'opened-only' | 'anything-public' | 'any-but-metadata';
    }
  | { readonly admit: false; readonly because: string };

const metadataNames: ReadonlySet<string> = new Set(METADATA_NAMES);

/** `hostname` as the URL parser gives it: lower case, ASCII, perhaps with a dot at the end. */
export function nameVerdict(hostname: string, policy: GuardPolicy): NameVerdict {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  // Some versions of the URL parser let an empty punycode label pass.
  if (name.split('.').includes('xn--')) return { admit: false, because: 'invalid-url' };
  if (!isDnsName(name)) return { admit: false, because: 'invalid-dns-label' };
  if (metadataNames.has(name)) return { admit: false, because: 'metadata' };
  if (policy.hosts.has(name)) return { admit: true, leadsTo: 'any-but-metadata' };
  if (name === 'localhost' || name.endsWith('.localhost')) return { admit: true, leadsTo: 'loopback' };

  const because = internalRule(name);
  if (because === null) return { admit: true, leadsTo: 'anything-public' };
  return policy.ranges.length > 0 ? { admit: true, leadsTo: 'opened-only' } : { admit: false, because };
}

function internalRule(name: string): string | null {
  if (!name.includes('.')) return 'single-label';
  return INTERNAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`)) ? 'internal-name' : null;
}

function isDnsName(name: string): boolean {
  if (name.length === 0 || name.length > 253) return false;
  return name.split('.').every((label) => label.length > 0 && label.length <= 63);
}
