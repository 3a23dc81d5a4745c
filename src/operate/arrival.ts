// How a page came, as the store keeps it: what somebody asks who wonders why it is as it is. Cookies and whatever else a
// server sends are left out: only headers that say something about the page.

import type { FetchedPage } from '../fetch/port.ts';
import type { JsonObject } from '../store/port.ts';

const KEPT = [
  'age',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'link',
  'server',
  'vary',
  'x-robots-tag',
] as const;

const LONGEST_VALUE = 500;

export function arrivalOf(fetched: FetchedPage, bodyBytes: number): JsonObject {
  const { status, headers, wireBytes, firstByteMs, totalMs } = fetched;
  // It came with others, in llms-full.txt: no server was asked for it alone.
  if (wireBytes === 0) return {};
  const kept = KEPT.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value.slice(0, LONGEST_VALUE)] as const];
  });
  return {
    status,
    wireBytes,
    bodyBytes,
    firstByteMs: Math.round(firstByteMs),
    totalMs: Math.round(totalMs),
    headers: Object.fromEntries(kept),
  };
}
