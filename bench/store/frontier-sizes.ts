// The sizes of the measured frontier: the full one, and a small one that shows how the cost grows.

import { parseArgs } from 'node:util';

export interface Size {
  readonly urls: number;
  readonly hosts: number;
}

/** From `--urls`, `--hosts` and `--pages`. */
export function frontierSizes(defaults: Size, timesHosts: number): { full: Size; small: Size; pages: number } {
  const { values } = parseArgs({
    options: {
      urls: { type: 'string', default: String(defaults.urls) },
      hosts: { type: 'string', default: String(defaults.hosts) },
      pages: { type: 'string', default: '10000' },
    },
  });
  const full = { urls: Number(values.urls), hosts: Number(values.hosts) };
  const small = { urls: Math.min(100_000, full.urls / 10), hosts: full.hosts / timesHosts };
  return { full, small, pages: Number(values.pages) };
}
