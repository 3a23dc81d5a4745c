// The site that every trial crawls, and what an unfaulted crawl of it leaves: the twin that each trial is compared with.

import type { Store } from '../../src/store/port.ts';
import { createSiteServer, type SiteServer } from '../support/site-server.ts';

/** One line a page: its URL, the hash of its text, and the ids of its chunks in order. */
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

/** URLs that one has and the other has not, and those whose content differs. */
export function differences(found: Fingerprint, twin: Fingerprint): { lost: string[]; other: string[] } {
  return {
    lost: [...twin.keys()].filter((url) => !found.has(url)),
    other: [...found].filter(([url, line]) => twin.get(url) !== line).map(([url]) => url),
  };
}
