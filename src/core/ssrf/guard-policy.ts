// What the operator opened, read once from the configuration.

import { pinakesError } from '../model/errors.ts';
import { isExactly, parseAddress, parseRange, type AddressRange } from './ip-address.ts';
import { METADATA_ADDRESSES } from './special-ranges.table.ts';

export interface GuardPolicy {
  readonly ranges: readonly AddressRange[];
  /** Names in lower case that may lead to any address but metadata. It opens the name, never the address behind it. */
  readonly hosts: ReadonlySet<string>;
  readonly ports: ReadonlySet<number>;
}

export interface GuardSettings {
  readonly allowCidrs: readonly string[];
  readonly allowHosts?: readonly string[];
  readonly allowPorts?: readonly number[];
}

export function guardPolicy(settings: GuardSettings): GuardPolicy {
  const ranges = settings.allowCidrs.map((text) => {
    const range = parseRange(text);
    if (range === null)
      throw pinakesError('config.invalid', { setting: 'fetch.allowCidrs', why: `${text} is no range` });
    return range;
  });
  return {
    ranges,
    hosts: new Set((settings.allowHosts ?? []).map((host) => host.toLowerCase().replace(/\.$/, ''))),
    ports: new Set(settings.allowPorts ?? []),
  };
}

/** Sentences to say aloud at the start: what was opened that hardly anyone should open. */
export function guardWarnings(policy: GuardPolicy): readonly string[] {
  return METADATA_ADDRESSES.flatMap((text) => {
    const address = parseAddress(text);
    const open = address !== null && policy.ranges.some((range) => isExactly(address, range));
    return open
      ? [
          `fetch.allowCidrs opens ${text}: whatever is crawled can lead there, and it hands out this machine's credentials`,
        ]
      : [];
  });
}
