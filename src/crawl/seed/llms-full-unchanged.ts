// Asks for an llms-full.txt that an earlier run has read, with its validators: if it is unchanged, a run that only fetches known pages
// needs no discovery.

import type { Run } from '../../store/port/runs.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { CrawlPorts } from '../context/ports.ts';
import type { CrawlClock } from '../politeness/host-rate-limiter.ts';
import { createPoliteFetch, type PoliteFetchDeps, runRequester } from '../politeness/polite-fetch.ts';
import type { RobotsCache } from '../politeness/robots-cache.ts';
import { loadLlmsFullList } from '../site/llms-full-cache.ts';
import { MAX_LLMS_FULL_BYTES, TEXT_ACCEPT } from './discover-source.ts';
import { createDiscoveryFetch } from './discovery-fetch.ts';

interface LlmsFullDeps extends PoliteFetchDeps {
  readonly ports: CrawlPorts;
  readonly robots: RobotsCache;
  readonly clock: CrawlClock;
}

export async function isLlmsFullUnchanged(
  run: Run,
  rules: RunRules,
  deps: LlmsFullDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const cached = rules.trustsValidators ? await loadLlmsFullList(deps.ports.store, run.version) : null;
  if (cached === null) return false;
  const { location, etag, lastModified } = cached;
  const politeFetch = createPoliteFetch(deps, runRequester(run.id, rules, deps), signal);
  const { fetchFile } = createDiscoveryFetch(
    { ...deps, run: run.id, politeFetch, named: [rules.startUrl, location] },
    signal,
  );
  const file = await fetchFile(location, {
    accept: TEXT_ACCEPT,
    cutAtBytes: MAX_LLMS_FULL_BYTES,
    etag,
    lastModified,
  });
  return file.kind === 'unchanged';
}
