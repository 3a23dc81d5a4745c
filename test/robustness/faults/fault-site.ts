// The site that every trial crawls, and the result of a crawl without faults: the control that each trial is compared
// with.

import type { Store } from '../../../src/store/port.ts';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';

/** One line per page: its URL, the hash of its text, and the ids of its chunks in order. */
export type Fingerprint = ReadonlyMap<string, string>;

export interface FaultSite extends SiteServer {
  readonly size: number;
}

export async function createFaultSite(size: number, answerMs: number): Promise<FaultSite> {
  return { ...(await createSiteServer({ size, seed: 5, answerMs, slowMs: 40 })), size };
}

export async function fingerprintOf(store: Store): Promise<Fingerprint> {
  const lines = new Map<string, string>();
  const versions = (await store.sources.list()).flatMap((source) => source.versions);
  for (const { id } of versions) {
    const { pages } = await store.pages.list(id, null, 100_000);
    for (const { url, contentHash } of pages) {
      const chunks = await store.pages.chunksOf(id, url);
      lines.set(url, `${contentHash} ${chunks.map((chunk) => chunk.id).join(' ')}`);
    }
  }
  return lines;
}

/** URLs that only one of them has, and those whose content differs. */
export function differences(found: Fingerprint, control: Fingerprint): { lost: string[]; other: string[] } {
  return {
    lost: [...control.keys()].filter((url) => !found.has(url)),
    other: [...found].filter(([url, line]) => control.get(url) !== line).map(([url]) => url),
  };
}
