// Decides whether a connection to an IP address is allowed.

import { inRange, isExactly, parseIpAddress, parseIpRange, type IpAddress, type IpRange } from './ip-address.ts';
import type { GuardPolicy } from './guard-policy.ts';
import { EMBEDDING_V6, GLOBAL_UNICAST_V6, METADATA_ADDRESSES, SPECIAL_V4, SPECIAL_V6 } from './special-ranges.table.ts';

export type IpVerdict =
  /** `allowlisted`: the operator allowed the address or its host name. */
  { readonly admit: true; readonly allowlisted: boolean } | { readonly admit: false; readonly reason: string };

const parseTableRange = (text: string): IpRange => {
  const parsed = parseIpRange(text);
  if (parsed === null) throw new Error(`not a range: ${text}`);
  return parsed;
};

const specialV4 = SPECIAL_V4.map(([text, rule]) => ({ range: parseTableRange(text), rule }));
const specialV6 = SPECIAL_V6.map(([text, rule]) => ({ range: parseTableRange(text), rule }));
const embedding = EMBEDDING_V6.map((entry) => ({ ...entry, range: parseTableRange(entry.range) }));
const globalUnicast = parseTableRange(GLOBAL_UNICAST_V6);
const metadata = METADATA_ADDRESSES.map(parseTableRange);

/** `hostAllowlisted`: the operator allowed the host name that resolved to this address. */
export function ipVerdict(address: IpAddress, policy: GuardPolicy, hostAllowlisted = false): IpVerdict {
  const rule = ruleOf(address);
  if (rule === null) return { admit: true, allowlisted: hostAllowlisted || isInAllowedRange(address, policy) };
  return isAllowlisted(address, policy, hostAllowlisted)
    ? { admit: true, allowlisted: true }
    : { admit: false, reason: rule };
}

/** Text that is not an IP address is rejected. */
export function ipTextVerdict(text: string, policy: GuardPolicy, hostAllowlisted = false): IpVerdict {
  const address = parseIpAddress(text);
  return address === null ? { admit: false, reason: 'not-an-address' } : ipVerdict(address, policy, hostAllowlisted);
}

function isAllowlisted(address: IpAddress, policy: GuardPolicy, hostAllowlisted: boolean): boolean {
  // A wide range never allows a metadata address: it has to be listed on its own.
  if (isMetadata(address)) return policy.ranges.some((entry) => isExactly(address, entry));
  if (!hostAllowlisted && !isInAllowedRange(address, policy)) return false;
  // Packets go to the embedded address: both must be allowed.
  const inside = extractEmbedded(address)?.address;
  return inside === undefined || ipVerdict(inside, policy, hostAllowlisted).admit;
}

function isInAllowedRange(address: IpAddress, policy: GuardPolicy): boolean {
  return policy.ranges.some((entry) => inRange(address, entry));
}

/** The rule that blocks an address by default; null if it is public. */
function ruleOf(address: IpAddress): string | null {
  if (isMetadata(address)) return 'metadata';
  if (address.family === 4) return specialRule(address, specialV4);
  const special = specialRule(address, specialV6);
  const embedded = extractEmbedded(address);
  if (embedded !== null) return embeddedRule(embedded);
  return special ?? (inRange(address, globalUnicast) ? null : 'not-global-unicast');
}

interface Embedded {
  readonly mechanism: (typeof EMBEDDING_V6)[number]['mechanism'];
  readonly address: IpAddress;
}

function extractEmbedded(address: IpAddress): Embedded | null {
  if (address.family === 4 || isUnspecifiedOrLoopback(address)) return null;
  const entry = embedding.find((candidate) => inRange(address, candidate.range));
  if (entry === undefined) return null;
  const bytes = address.bytes.slice(entry.at, entry.at + 4);
  return {
    mechanism: entry.mechanism,
    address: { family: 4, bytes: entry.inverted ? bytes.map((byte) => byte ^ 0xff) : bytes },
  };
}

/** `::` and `::1` look like IPv4-compatible addresses, but are not. */
function isUnspecifiedOrLoopback(address: IpAddress): boolean {
  return address.bytes.every((byte, i) => byte === 0 || (i === 15 && byte === 1));
}

function embeddedRule({ mechanism, address }: Embedded): string {
  if (mechanism === 'v4-compatible' || mechanism === 'v4-translated') return mechanism;
  const inside = specialRule(address, specialV4);
  // A documentation address is no more specific than the form.
  if (inside === null || inside === 'documentation') return mechanism;
  return mechanism === 'v4-mapped' ? `v4-mapped-${inside}` : `${mechanism}-embeds-${inside}`;
}

function specialRule(address: IpAddress, table: typeof specialV4 | typeof specialV6): string | null {
  return table.find((entry) => inRange(address, entry.range))?.rule ?? null;
}

function isMetadata(address: IpAddress): boolean {
  return metadata.some((entry) => isExactly(address, entry));
}
