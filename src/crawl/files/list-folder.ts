// Seeds a run over local content: every file is offered, every refusal recorded, every cut reported. A kill on the way
// loses nothing: until the list is whole, the next conductor makes it again.

import { PinakesError } from '../../core/model/errors.ts';
import { LOCAL_HOST, type ListedFile, type LocalSource } from '../../fetch/port.ts';
import type { Offer, Refusal, RunLease } from '../../store/port.ts';
import type { CrawlLimits, CrawlStages } from '../context/ports.ts';
import type { LocalSourceOf } from './open-local-source.ts';

export interface ListDeps {
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  readonly localSourceOf: LocalSourceOf;
}

export const FILES_LISTED = 'files-listed';
const PIECE = 500;
/** A folder of a million ignored files is told of once it is clear what is left out. */
const MOST_REFUSALS = 10_000;

/** `web` for a run that is not over local content. `nothing` says why there is no file: the run is to fail and remove none. */
export type Listing = { readonly kind: 'web' | 'listed' } | { readonly kind: 'nothing'; readonly reason: string };

export async function listFolder(lease: RunLease, deps: ListDeps, signal: AbortSignal): Promise<Listing> {
  const { store } = deps.stages;
  const { run } = lease;
  let source: LocalSource | null;
  try {
    source = await deps.localSourceOf(run.id);
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    return { kind: 'nothing', reason: error.message };
  }
  if (source === null) return { kind: 'web' };
  const reached = await store.journal.milestones(run.id);
  if (run.state !== 'running' || reached.some(({ kind }) => kind === FILES_LISTED)) return { kind: 'listed' };
  // Nobody is asked, so nobody is to be spared.
  await store.hosts.adjust(LOCAL_HOST, (state) => ({ ...state, delayMs: 0, crawlDelayMs: null, pausedForMs: 0 }));
  const files = await offerListed(source, lease, deps, signal);
  // An empty folder is more often a disk that is not there than a library that was emptied.
  if (files === 0) return { kind: 'nothing', reason: 'there is no file to read' };
  await offerKnown(lease, deps);
  await store.journal.reach(run.id, FILES_LISTED, { files });
  return { kind: 'listed' };
}

async function offerListed(
  source: LocalSource,
  lease: RunLease,
  { stages: { store }, limits }: ListDeps,
  signal: AbortSignal,
): Promise<number> {
  const { id: run } = lease.run;
  const offers: Offer[] = [];
  const refusals: Refusal[] = [];
  let files = 0;
  let refused = 0;
  const write = async (): Promise<void> => {
    await store.frontier.offer(run, offers.splice(0));
    await store.frontier.refuse(run, refusals.splice(0));
    await store.runs.renew(lease, limits.leaseMs);
  };
  for await (const item of source.list(signal)) {
    if (item.kind === 'file') files = offers.push(offerOf(item.url)) && files + 1;
    else if (item.kind === 'warning') await report(lease, store, item);
    else if (refused < MOST_REFUSALS) refused = refusals.push(refusalOf(item)) && refused + 1;
    if (item.kind === 'refused' && isCut(item.reason)) {
      await report(lease, store, { kind: 'warning', about: 'cut', target: item.url, message: item.reason });
    }
    if (offers.length + refusals.length >= PIECE) await write();
  }
  await write();
  return files;
}

/** Left out for its size, not by a wish of the user. */
function isCut(reason: string): boolean {
  return reason.startsWith('too-large') || reason.startsWith('batch-too-large') || reason === 'file-too-large';
}

function offerOf(url: Offer['url']): Offer {
  return { url, depth: 0, foundBy: 'seed', rank: 0, parent: null, host: LOCAL_HOST };
}

function refusalOf({ url, reason }: Extract<ListedFile, { kind: 'refused' }>): Refusal {
  return { url, depth: 0, foundBy: 'seed', reason, parent: null };
}

/** What was known and is not listed any more is asked for, and found gone or refused. */
async function offerKnown({ run }: RunLease, { stages: { store } }: ListDeps): Promise<void> {
  let after: string | null = null;
  do after = await store.frontier.offerKnown(run.id, after, PIECE);
  while (after !== null);
}

async function report(
  { run }: RunLease,
  { journal }: CrawlStages['store'],
  { about, target, message }: Extract<ListedFile, { kind: 'warning' }>,
): Promise<void> {
  await journal.report({ run: run.id, kind: about, severity: 'warning', scope: 'file', target, message, details: {} });
}
