// Asks a host outside the frontier: at its pace, with what the source may send there, and its pace is told of the answer.

import { hostOf, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import type { FetchOutcome, FetchRequest } from '../../fetch/port.ts';
import type { HostWatch } from './host-rate-tracker.ts';
import type { CrawlStages } from '../context/ports.ts';
import type { Turns } from './host-rate-limiter.ts';

export type AskHost = (request: FetchRequest) => Promise<FetchOutcome>;

export interface AskDeps {
  readonly stages: Pick<CrawlStages, 'fetcher'>;
  readonly watch: HostWatch;
  readonly turns: Turns;
}

/** Whoever asks: a run with the headers of its source, or nobody in particular. */
export interface Asker {
  readonly run: RunId | null;
  readonly headersFor: (url: PageUrl) => Readonly<Record<string, string>>;
}

export const NOBODY: Asker = { run: null, headersFor: () => ({}) };

export function createAskHost({ stages, watch, turns }: AskDeps, asker: Asker, signal: AbortSignal): AskHost {
  return async (request) => {
    await turns.take(hostOf(request.url), signal);
    const outcome = await stages.fetcher.fetch({ ...request, headers: asker.headersFor(request.url) }, signal);
    await watch.observe({ run: asker.run, url: request.url }, outcome);
    return outcome;
  };
}
