// The allowlist of the SSRF guard, parsed once from the configuration.

import { pinakesError } from '../model/errors.ts';
import { parsePortRange } from '../model/setting-formats.ts';
import { isExactly, parseIpAddress, parseIpRange, type IpRange } from './ip-address.ts';
import { METADATA_ADDRESSES } from './special-ranges.table.ts';

export interface GuardPolicy {
  readonly ranges: readonly IpRange[];
  /** Host names in lower case that may resolve to any address except metadata. It allows the name, not the address itself. */
  readonly hosts: ReadonlySet<string>;
  readonly ports: ReadonlySet<number>;
}

export interface GuardSettings {
  readonly allowCidrs: readonly string[];
  readonly allowHosts?: readonly string[];
  /** A port, or a range such as `21000-21200`. */
  readonly allowPorts?: ReadonlyArray<number | string>;
}

export function guardPolicy(settings: GuardSettings): GuardPolicy {
  const ranges = settings.allowCidrs.map((text) => {
    const range = parseIpRange(text);
    if (range === null)
      throw pinakesError('config.invalid', { setting: 'fetch.allowCidrs', reason: `${text} is not an address range` });
    return range;
  });
  return {
    ranges,
    hosts: new Set((settings.allowHosts ?? []).map((host) => host.toLowerCase().replace(/\.$/, ''))),
    ports: new Set((settings.allowPorts ?? []).flatMap(portsOf)),
  };
}

function portsOf(port: number | string): number[] {
  const range = parsePortRange(String(port));
  if (range === null)
    throw pinakesError('config.invalid', { setting: 'fetch.allowPorts', reason: `${port} is not a port` });
  return Array.from({ length: range.last - range.first + 1 }, (_, i) => range.first + i);
}

/** Warnings to log at startup, for entries that are almost never intended. */
export function guardWarnings(policy: GuardPolicy): readonly string[] {
  return METADATA_ADDRESSES.flatMap((text) => {
    const address = parseIpAddress(text);
    const open = address !== null && policy.ranges.some((range) => isExactly(address, range));
    return open
      ? [
          `fetch.allowCidrs allows ${text}: any crawled page can redirect there, and it serves the credentials of this machine`,
        ]
      : [];
  });
}
