// The sources of the library as the server itself needs them, for its instructions and for how long a result may be cached.

import type { SourceView } from '../../actions/list-sources.ts';
import { deadline } from '../../platform/clock.ts';
import type { CallAction } from '../call-action.ts';

/** Null if the library cannot be read now. */
export type ListedSources = () => Promise<readonly SourceView[] | null>;

const MAX_AGE_MS = 10_000;
/** A client that connects waits no longer for the names: one that hears nothing for half a minute gives up. */
const MAX_WAIT_MS = 10_000;

/** Read at most every ten seconds: over HTTP each request has its own server. */
export function createListedSources(
  call: CallAction,
  { now, onError }: { readonly now: () => number; readonly onError: (error: unknown) => void },
): ListedSources {
  let latest: { readonly at: number; readonly sources: Promise<readonly SourceView[]> } | null = null;
  return () => {
    if (latest === null || now() - latest.at > MAX_AGE_MS) latest = { at: now(), sources: read(call) };
    const { sources } = latest;
    return sources.catch((error: unknown) => {
      if (latest?.sources === sources) latest = null;
      onError(error);
      return null;
    });
  };
}

async function read(call: CallAction): Promise<readonly SourceView[]> {
  const signal = deadline(MAX_WAIT_MS);
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the list of sources took too long')), { once: true });
  });
  const listed = await Promise.race([call('list_sources', {}, { signal }), timedOut]);
  return (listed as { readonly sources: readonly SourceView[] }).sources;
}

const DAY_MS = 86_400_000;

/** Until the next run of the source, at most a day; nothing while it is being crawled, or if it is not known. */
export function cacheMs(source: SourceView | undefined, now: number): number {
  if (source === undefined || source.status !== 'indexed') return 0;
  const untilRun = source.nextRunAt === null ? DAY_MS : Date.parse(source.nextRunAt) - now;
  return Math.round(Math.min(DAY_MS, Math.max(0, untilRun)));
}
