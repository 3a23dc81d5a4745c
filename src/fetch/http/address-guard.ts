// The only gate to the network: every outgoing connection goes to an IP address that this guard admitted.

import { networkInterfaces } from 'node:os';
import type { GuardPolicy } from '../../core/ssrf/guard-policy.ts';
import { parseIpAddress } from '../../core/ssrf/ip-address.ts';
import { ipTextVerdict, ipVerdict } from '../../core/ssrf/ip-verdict.ts';
import {
  hostnameVerdict,
  isPortAllowed,
  loopbackAddresses,
  ssrfVerdict,
  type SsrfVerdict,
} from '../../core/ssrf/ssrf-verdict.ts';
import { DnsFailure, type ResolveName, resolveWithin } from './resolve-name.ts';

export interface AddressGuard {
  /** What can be decided about a URL without a DNS lookup. */
  check(url: string): SsrfVerdict;
  /**
   * The IP addresses that a connection may go to, all checked, in the order to try them. If one address of a name is
   * blocked, the whole name is: choosing the good ones would let an attacker decide. Rejects with `GuardRefusal` or
   * `DnsFailure`.
   */
  admit(host: string, port: number): Promise<readonly string[]>;
  /**
   * The same check for a target that a proxy connects to. Where only the proxy can resolve public names, the rules for
   * names and ports have to suffice.
   */
  admitByProxy(host: string, port: number): Promise<void>;
}

export interface AddressGuardDeps {
  readonly policy: GuardPolicy;
  readonly resolve: ResolveName;
  readonly dnsTimeoutMs: number;
  /** The ports that this program and its database listen on: never connected to, whatever the policy allows. */
  readonly ownPorts?: () => readonly number[];
}

export function createAddressGuard(deps: AddressGuardDeps): AddressGuard {
  return {
    check: (url) => ssrfVerdict(url, deps.policy),
    admit: (host, port) => admit(host, port, deps),
    async admitByProxy(host, port) {
      try {
        await admit(host, port, deps);
      } catch (error) {
        if (!(error instanceof DnsFailure)) throw error;
        const name = hostnameVerdict(host, deps.policy);
        if (!name.admit || name.resolvesTo === 'allowlisted-only') throw new GuardRefusal('internal-name');
        if (!isPortAllowed(port, false, deps.policy)) throw new GuardRefusal('port-not-allowed');
      }
    },
  };
}

async function admit(host: string, port: number, deps: AddressGuardDeps): Promise<readonly string[]> {
  const { policy } = deps;
  const { addresses, byName, allowlistedOnly } = await resolveHost(host, deps);
  for (const address of addresses) {
    const verdict = ipTextVerdict(address, policy, byName);
    if (!verdict.admit) throw new GuardRefusal(verdict.reason);
    if (allowlistedOnly && !verdict.allowlisted) throw new GuardRefusal('internal-name');
    if (!isPortAllowed(port, verdict.allowlisted, policy)) throw new GuardRefusal('port-not-allowed');
    if (isOwnListener(address, port, deps)) throw new GuardRefusal('own-listener');
  }
  return addresses;
}

interface ResolvedHost {
  readonly addresses: readonly string[];
  readonly byName: boolean;
  readonly allowlistedOnly: boolean;
}

async function resolveHost(host: string, deps: AddressGuardDeps): Promise<ResolvedHost> {
  if (parseIpAddress(host) !== null) return { addresses: [host], byName: false, allowlistedOnly: false };
  const name = hostnameVerdict(host, deps.policy);
  if (!name.admit) throw new GuardRefusal(name.reason);
  if (name.resolvesTo === 'loopback') {
    const addresses = loopbackAddresses(deps.policy);
    if (addresses.length === 0) throw new GuardRefusal('loopback');
    return { addresses, byName: false, allowlistedOnly: false };
  }
  const addresses = await resolveWithin(host, deps.resolve, deps.dnsTimeoutMs);
  return {
    addresses,
    byName: name.resolvesTo === 'all-except-metadata',
    allowlistedOnly: name.resolvesTo === 'allowlisted-only',
  };
}

function isOwnListener(address: string, port: number, deps: AddressGuardDeps): boolean {
  if (!(deps.ownPorts?.() ?? []).includes(port)) return false;
  const bytes = parseIpAddress(address);
  const verdict = bytes === null ? null : ipVerdict(bytes, EMPTY_POLICY);
  if (verdict !== null && !verdict.admit && LOCAL_RULES.has(verdict.reason)) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === address));
}

const EMPTY_POLICY: GuardPolicy = { ranges: [], hosts: new Set(), ports: new Set() };
const LOCAL_RULES = new Set(['loopback', 'unspecified', 'this-network', 'v4-mapped-loopback', 'v4-mapped-unspecified']);

/** Thrown inside a connection attempt when the guard refuses it. Never leaves this folder: it becomes an outcome. */
export class GuardRefusal extends Error {
  override readonly name = 'GuardRefusal';
  readonly code = 'PINAKES_GUARD';
  readonly rule: string;

  constructor(rule: string) {
    super(`refused by the rule ${rule}`);
    this.rule = rule;
  }
}
