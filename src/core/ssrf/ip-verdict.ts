// Decides whether a connection to an address may be made.

import { inRange, isExactly, parseAddress, parseRange, type Address, type AddressRange } from './ip-address.ts';
import type { GuardPolicy } from './guard-policy.ts';
import { EMBEDDING_V6, GLOBAL_UNICAST_V6, METADATA_ADDRESSES, SPECIAL_V4, SPECIAL_V6 } from './special-ranges.table.ts';

export type AddressVerdict =
  /** `opened`: it is not public, and the operator opened it. */
  { readonly admit: true; readonly opened: boolean } | { readonly admit: false; readonly because: string };

const range = (text: string): AddressRange => {
  const parsed = parseRange(text);
  if (parsed === null) throw new Error(`not a range: ${text}`);
  return parsed;
};

const specialV4 = SPECIAL_V4.map(([text, rule]) => ({ range: range(text), rule }));
const specialV6 = SPECIAL_V6.map(([text, rule]) => ({ range: range(text), rule }));
const embedding = EMBEDDING_V6.map((entry) => ({ ...entry, range: range(entry.range) }));
const globalUnicast = range(GLOBAL_UNICAST_V6);
const metadata = METADATA_ADDRESSES.map(range);

/** `byName`: the operator opened the name that led here. */
export function addressVerdict(address: Address, policy: GuardPolicy, byName = false): AddressVerdict {
  const rule = ruleOf(address);
  if (rule === null) return { admit: true, opened: byName || covered(address, policy) };
  return opened(address, policy, byName) ? { admit: true, opened: true } : { admit: false, because: rule };
}

/** A text that is no address is refused: nothing is guessed about it. */
export function addressTextVerdict(text: string, policy: GuardPolicy, byName = false): AddressVerdict {
  const address = parseAddress(text);
  return address === null ? { admit: false, because: 'not-an-address' } : addressVerdict(address, policy, byName);
}

function opened(address: Address, policy: GuardPolicy, byName: boolean): boolean {
  // A wide range never opens metadata: who wants that names the one address.
  if (isMetadata(address)) return policy.ranges.some((entry) => isExactly(address, entry));
  if (!byName && !covered(address, policy)) return false;
  // The packets go to the address inside: both must be open.
  const inside = embeddedIn(address)?.address;
  return inside === undefined || addressVerdict(inside, policy, byName).admit;
}

function covered(address: Address, policy: GuardPolicy): boolean {
  return policy.ranges.some((entry) => inRange(address, entry));
}

/** The rule that closes an address by default; null when it is public. */
function ruleOf(address: Address): string | null {
  if (isMetadata(address)) return 'metadata';
  if (address.family === 4) return specialRule(address, specialV4);
  const special = specialRule(address, specialV6);
  const embedded = embeddedIn(address);
  if (embedded !== null) return embeddedRule(embedded);
  return special ?? (inRange(address, globalUnicast) ? null : 'not-global-unicast');
}

interface Embedded {
  readonly form: (typeof EMBEDDING_V6)[number]['form'];
  readonly address: Address;
}

function embeddedIn(address: Address): Embedded | null {
  if (address.family === 4 || isPlain(address)) return null;
  const entry = embedding.find((candidate) => inRange(address, candidate.range));
  if (entry === undefined) return null;
  const bytes = address.bytes.slice(entry.at, entry.at + 4);
  return { form: entry.form, address: { family: 4, bytes: entry.inverted ? bytes.map((byte) => byte ^ 0xff) : bytes } };
}

/** `::` and `::1` look like IPv4-compatible addresses, and are not. */
function isPlain(address: Address): boolean {
  return address.bytes.every((byte, i) => byte === 0 || (i === 15 && byte === 1));
}

function embeddedRule({ form, address }: Embedded): string {
  if (form === 'v4-compatible' || form === 'v4-translated') return form;
  const inside = specialRule(address, specialV4);
  // An address made for examples says no more than the form does.
  if (inside === null || inside === 'documentation') return form;
  return form === 'v4-mapped' ? `v4-mapped-${inside}` : `${form}-embeds-${inside}`;
}

function specialRule(address: Address, table: typeof specialV4 | typeof specialV6): string | null {
  return table.find((entry) => inRange(address, entry.range))?.rule ?? null;
}

function isMetadata(address: Address): boolean {
  return metadata.some((entry) => isExactly(address, entry));
}
