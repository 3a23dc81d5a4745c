// The one gate to the network. Every connection of the program asks it for addresses, and connects to no other.

import { networkInterfaces } from 'node:os';
import { addressTextVerdict, addressVerdict } from '../../core/ssrf/ip-verdict.ts';
import { parseAddress } from '../../core/ssrf/ip-address.ts';
import type { GuardPolicy } from '../../core/ssrf/guard-policy.ts';
import { nameVerdict } from '../../core/address/name-verdict.ts';
import { portIsOpen } from '../../core/address/port-verdict.ts';
import { loopbackAddresses, urlVerdict, type UrlVerdict } from '../../core/ssrf/ssrf-verdict.ts';
import { GuardRefusal } from '../guard-refusal.ts';
import { DnsFailure, resolveWithin, type ResolveName } from './resolve-name.ts';

export interface AddressGuard {
  /** What can be said about a URL without asking DNS. */
  judge(url: string): UrlVerdict;
  /**
   * The addresses to which a connection may go, all judged, in the order to try them. One answer that is closed closes
   * the name: picking the good ones would let an attacker choose. Rejects with `GuardRefusal` or `DnsFailure`.
   */
  admit(host: string, port: number): Promise<readonly string[]>;
  /**
   * The same judgement for a target that a proxy will connect to. Where names of the internet are known to the proxy
   * alone, the rules of names and ports must do.
   */
  admitByProxy(host: string, port: number): Promise<void>;
}

export interface AddressGuardDeps {
  readonly policy: GuardPolicy;
  readonly resolve: ResolveName;
  readonly dnsTimeoutMs: number;
  /** Where this very program listens, and its database: never asked, whatever is opened. */
  readonly ownPorts?: () => readonly number[];
}

export function createAddressGuard(deps: AddressGuardDeps): AddressGuard {
  return {
    judge: (url) => urlVerdict(url, deps.policy),
    admit: (host, port) => admit(host, port, deps),
    async admitByProxy(host, port) {
      try {
        await admit(host, port, deps);
      } catch (error) {
        if (!(error instanceof DnsFailure)) throw error;
        const name = nameVerdict(host, deps.policy);
        if (!name.admit || name.leadsTo === 'opened-only') throw new GuardRefusal('internal-name');
        if (!portIsOpen(port, false, deps.policy)) throw new GuardRefusal('port-not-allowed');
      }
    },
  };
}

async function admit(host: string, port: number, deps: AddressGuardDeps): Promise<readonly string[]> {
  const { policy } = deps;
  const { addresses, byName, openedOnly } = await answersFor(host, deps);
  for (const address of addresses) {
    const verdict = addressTextVerdict(address, policy, byName);
    if (!verdict.admit) throw new GuardRefusal(verdict.because);
    if (openedOnly && !verdict.opened) throw new GuardRefusal('internal-name');
    if (!portIsOpen(port, verdict.opened, policy)) throw new GuardRefusal('port-not-allowed');
    if (isOwnListener(address, port, deps)) throw new GuardRefusal('own-listener');
  }
  return addresses;
}

interface Answers {
  readonly addresses: readonly string[];
  readonly byName: boolean;
  readonly openedOnly: boolean;
}

async function answersFor(host: string, deps: AddressGuardDeps): Promise<Answers> {
  if (parseAddress(host) !== null) return { addresses: [host], byName: false, openedOnly: false };
  const name = nameVerdict(host, deps.policy);
  if (!name.admit) throw new GuardRefusal(name.because);
  if (name.leadsTo === 'loopback') {
    const addresses = loopbackAddresses(deps.policy);
    if (addresses.length === 0) throw new GuardRefusal('loopback');
    return { addresses, byName: false, openedOnly: false };
  }
  const addresses = await resolveWithin(host, deps.resolve, deps.dnsTimeoutMs);
  return { addresses, byName: name.leadsTo === 'any-but-metadata', openedOnly: name.leadsTo === 'opened-only' };
}

function isOwnListener(address: string, port: number, deps: AddressGuardDeps): boolean {
  if (!(deps.ownPorts?.() ?? []).includes(port)) return false;
  const bytes = parseAddress(address);
  const closed = bytes === null ? null : addressVerdict(bytes, NOTHING_OPENED);
  if (closed !== null && !closed.admit && LOCAL_RULES.has(closed.because)) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === address));
}

const NOTHING_OPENED: GuardPolicy = { ranges: [], hosts: new Set(), ports: new Set() };
const LOCAL_RULES = new Set(['loopback', 'unspecified', 'this-network', 'v4-mapped-loopback', 'v4-mapped-unspecified']);
