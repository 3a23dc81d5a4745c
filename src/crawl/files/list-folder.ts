// Seeds a run over local content: every file is enqueued, every exclusion recorded, every truncation reported. After a
// kill nothing is lost: until the listing is complete, the next coordinator repeats it.

import { pinakesError, PinakesError } from '../../core/model/errors.ts';
import { filesListed } from '../../core/model/milestone.ts';
import { folderName } from '../../core/model/source-name.ts';
import type { ListedFile, LocalSource } from '../../fetch/port.ts';
import type { FrontierEntry, Exclusion } from '../../store/port/frontier.ts';
import type { RunLease } from '../../store/port/runs.ts';
import type { CrawlLimits, CrawlPorts } from '../context/ports.ts';
import { isDatabaseFailure } from '../context/retry.ts';
import type { OpenLocalSource } from './open-local-source.ts';

export interface ListDeps {
  readonly ports: CrawlPorts;
  readonly limits: CrawlLimits;
  readonly openLocalSource: OpenLocalSource;
}

const BATCH_SIZE = 500;
/** This many show the pattern in a folder with a million ignored files. */
const MAX_EXCLUSIONS = 10_000;

/**
 * `web` for a run that is not over local content. `nothing` has the reason why there are no files: the run fails and
 * removes nothing.
 */
export type Listing = { readonly kind: 'web' | 'listed' } | { readonly kind: 'nothing'; readonly reason: string };

export async function listFolder(lease: RunLease, deps: ListDeps, signal: AbortSignal): Promise<Listing> {
  const { store } = deps.ports;
  const { run } = lease;
  let source: LocalSource | null;
  try {
    source = await deps.openLocalSource(run.id, signal);
  } catch (error) {
    if (!(error instanceof PinakesError) || isDatabaseFailure(error)) throw error;
    return { kind: 'nothing', reason: publicReason(error) };
  }
  if (source === null) return { kind: 'web' };
  if (run.state !== 'running' || (await store.runs.byId(run.id))?.seededAt !== null) return { kind: 'listed' };
  // No server is involved, so there is no rate limit.
  const unlimited = { delayMs: 0, crawlDelayMs: null, pausedForMs: 0 };
  await store.hosts.adjust(store.hosts.localHost, (state) => ({ ...state, ...unlimited }));
  const files = await enqueueListed(source, lease, deps, signal);
  // An empty folder is more often an unmounted disk than a deleted library.
  if (files === 0) return { kind: 'nothing', reason: 'there is no file to read' };
  await enqueuePrevious(lease, deps);
  await store.journal.recordMilestone(run.id, filesListed(run.id, files));
  await store.runs.markSeeded(lease);
  return { kind: 'listed' };
}

/** Every reader of the library sees why a run failed, but not where the folder is on this machine. */
function publicReason({ code, details, message }: PinakesError): string {
  const { path } = details;
  return typeof path === 'string' ? pinakesError(code, { ...details, path: folderName(path) }).message : message;
}

async function enqueueListed(
  source: LocalSource,
  lease: RunLease,
  { ports: { store }, limits }: ListDeps,
  signal: AbortSignal,
): Promise<number> {
  const { id: run } = lease.run;
  const entries: FrontierEntry[] = [];
  const exclusions: Exclusion[] = [];
  let files = 0;
  let excluded = 0;
  const write = async (): Promise<void> => {
    await store.frontier.enqueue(run, entries.splice(0));
    await store.frontier.exclude(run, exclusions.splice(0));
    await store.runs.renew(lease, limits.leaseMs);
  };
  for await (const item of source.list(signal)) {
    if (item.kind === 'file') files = entries.push(entryOf(item.url, store.hosts.localHost)) && files + 1;
    else if (item.kind === 'warning') await report(lease, store, item);
    else if (excluded < MAX_EXCLUSIONS) excluded = exclusions.push(exclusionOf(item)) && excluded + 1;
    if (item.kind === 'refused' && isOverLimit(item.reason)) {
      await report(lease, store, { kind: 'warning', about: 'file-excluded', target: item.url, message: item.reason });
    }
    if (entries.length + exclusions.length >= BATCH_SIZE) await write();
  }
  await write();
  return files;
}

/** Excluded for its size, not by the user's rules. */
function isOverLimit(reason: string): boolean {
  return reason.startsWith('too-large') || reason.startsWith('batch-too-large');
}

function entryOf(url: FrontierEntry['url'], host: string): FrontierEntry {
  return { url, depth: 0, foundBy: 'seed', priority: 0, parent: null, host };
}

function exclusionOf({ url, reason }: Extract<ListedFile, { kind: 'refused' }>): Exclusion {
  return { url, depth: 0, foundBy: 'seed', reason, parent: null };
}

/** Stored files that are no longer listed are enqueued too, and found missing or excluded. */
async function enqueuePrevious({ run }: RunLease, { ports: { store } }: ListDeps): Promise<void> {
  let after: string | null = null;
  do after = await store.frontier.enqueuePrevious(run.id, after, BATCH_SIZE);
  while (after !== null);
}

async function report(
  { run }: RunLease,
  { journal }: CrawlPorts['store'],
  { about, target, message }: Extract<ListedFile, { kind: 'warning' }>,
): Promise<void> {
  await journal.reportProblem({
    run: run.id,
    kind: about,
    severity: 'warning',
    scope: 'file',
    target,
    message,
    details: {},
  });
}
