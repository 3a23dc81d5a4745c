// Records what processes were promised about their claims and leases: a fencing token is handed out once, a lease to one process at a
// time, and nothing is accepted under a token after a newer one was handed out. Events count in the order of their commits: the answer to an
// earlier one may reach its process later.

import type { Store } from '../../../src/store/port.ts';
import type { Claim } from '../../../src/store/port/frontier.ts';
import type { RunLease } from '../../../src/store/port/runs.ts';
import type { WebhookLease } from '../../../src/store/port/webhooks.ts';
import { currentProcess, type SimulatedProcess } from './simulated-process.ts';
import { lastCommit, withCommit, type Commit } from './commit-order.ts';

interface LeaseEvent extends Commit {
  readonly kind: 'handed out' | 'renewed' | 'settled' | 'accepted' | 'ended';
  readonly fence: number;
  /** Null where the lease may end sooner, without a word from its holder. */
  readonly leaseMs: number | null;
}

export interface FenceLedger {
  problems(): readonly string[];
  /** The same store, with its answers recorded. */
  watch(store: Store): Store;
  /** Called when what one process held is handed out to another. */
  onTakeOver: (previous: SimulatedProcess) => void;
}

/** Clocks of the database have whole milliseconds. */
const ROUNDING_MS = 2;

export function createFenceLedger(): FenceLedger {
  const events = new Map<string, LeaseEvent[]>();

  const holders = new Map<string, SimulatedProcess>();

  function record(what: string, event: LeaseEvent): void {
    const process = currentProcess();
    if (event.kind === 'handed out' && process !== undefined) {
      const previous = holders.get(what);
      holders.set(what, process);
      if (previous !== undefined && previous !== process) ledger.onTakeOver(previous);
    }
    const known = events.get(what);
    if (known === undefined) events.set(what, [event]);
    else known.push(event);
  }

  /** What the work says about each of them is recorded at its last commit. */
  async function recorded<T>(
    work: () => Promise<T>,
    eventsOf: (result: T, at: Commit) => Iterable<[string, LeaseEvent]>,
  ) {
    const { result, ...at } = await withCommit(work);
    for (const [what, event] of eventsOf(result, at)) record(what, event);
    return result;
  }

  function watchFrontier({ frontier }: Store): Store['frontier'] {
    const nameOf = ({ version, url }: Claim): string => `${version} ${url}`;
    const end = (claim: Claim): void =>
      record(nameOf(claim), { ...lastCommit(), kind: 'ended', fence: claim.fence, leaseMs: null });
    return {
      ...frontier,
      claim: (request) =>
        recorded(
          () => frontier.claim(request),
          (claims, at) =>
            claims.map((claim) => [
              nameOf(claim),
              { ...at, kind: 'handed out', fence: claim.fence, leaseMs: request.leaseMs },
            ]),
        ),
      renew: (claims, leaseMs) =>
        recorded(
          () => frontier.renew(claims, leaseMs),
          (held, at) => held.map((claim) => [nameOf(claim), { ...at, kind: 'renewed', fence: claim.fence, leaseMs }]),
        ),
      release(claims) {
        claims.forEach(end);
        return frontier.release(claims);
      },
      settle(settlements) {
        // Its answer may get lost.
        for (const { claim } of settlements) end(claim);
        return recorded(
          () => frontier.settle(settlements),
          (results, at) =>
            settlements.flatMap(({ claim }, i): Array<[string, LeaseEvent]> =>
              results[i] === 'settled'
                ? [[nameOf(claim), { ...at, kind: 'settled', fence: claim.fence, leaseMs: null }]]
                : [],
            ),
        );
      },
    };
  }

  function watchRuns({ runs }: Store): Store['runs'] {
    const nameOf = ({ run }: RunLease): string => `run ${run.id}`;
    const end = (lease: RunLease): void =>
      record(nameOf(lease), { ...lastCommit(), kind: 'ended', fence: lease.fence, leaseMs: null });
    return {
      ...runs,
      lease: (worker, leaseMs) =>
        recorded(
          () => runs.lease(worker, leaseMs),
          (lease, at) =>
            lease === null ? [] : [[nameOf(lease), { ...at, kind: 'handed out', fence: lease.fence, leaseMs }]],
        ),
      renew: (lease, leaseMs, workedMs) =>
        recorded(
          () => runs.renew(lease, leaseMs, workedMs),
          (isHeld, at) => (isHeld ? [[nameOf(lease), { ...at, kind: 'renewed', fence: lease.fence, leaseMs }]] : []),
        ),
      release(lease) {
        end(lease);
        return runs.release(lease);
      },
      finish(lease, state, reason) {
        end(lease);
        return runs.finish(lease, state, reason);
      },
    };
  }

  function watchWebhooks({ webhooks }: Store): Store['webhooks'] {
    const held = (lease: WebhookLease, leaseMs: number | null) => (isHeld: boolean, at: Commit) => {
      const kind = leaseMs === null ? 'accepted' : 'renewed';
      return isHeld ? [[nameOf(lease), { ...at, kind, fence: lease.fence, leaseMs }] as [string, LeaseEvent]] : [];
    };
    const nameOf = ({ hook }: WebhookLease): string => `webhook ${hook.name}`;
    const end = (lease: WebhookLease): void =>
      record(nameOf(lease), { ...lastCommit(), kind: 'ended', fence: lease.fence, leaseMs: null });
    return {
      ...webhooks,
      lease: (worker, leaseMs) =>
        recorded(
          () => webhooks.lease(worker, leaseMs),
          (lease, at) =>
            lease === null ? [] : [[nameOf(lease), { ...at, kind: 'handed out', fence: lease.fence, leaseMs }]],
        ),
      begin: (lease, messageEnd, leaseMs) =>
        recorded(() => webhooks.begin(lease, messageEnd, leaseMs), held(lease, leaseMs)),
      deliver: (lease, position, wasSent) =>
        recorded(() => webhooks.deliver(lease, position, wasSent), held(lease, null)),
      fail(lease, reason, retryInMs) {
        end(lease);
        return webhooks.fail(lease, reason, retryInMs);
      },
      disable(lease, reason) {
        end(lease);
        return webhooks.disable(lease, reason);
      },
      release(lease) {
        end(lease);
        return webhooks.release(lease);
      },
    };
  }

  const ledger: FenceLedger = {
    onTakeOver: () => undefined,
    problems: () => [...events].flatMap(([what, ofOne]) => leaseProblems(what, ofOne)),
    watch: (store) => ({
      ...store,
      frontier: watchFrontier(store),
      runs: watchRuns(store),
      webhooks: watchWebhooks(store),
    }),
  };
  return ledger;
}

function leaseProblems(what: string, events: readonly LeaseEvent[]): readonly string[] {
  const problems: string[] = [];
  const tokens = new Set<number>();
  const settled = new Set<number>();
  /** A renewal may overtake what ends a lease. */
  const ended = new Set<number>();
  let newest = 0;
  let heldUntilMs = 0;
  for (const { kind, fence, atMs, leaseMs } of events.toSorted((a, b) => a.commit - b.commit)) {
    if (kind === 'handed out') {
      if (tokens.has(fence)) problems.push(`handed out twice: ${what} ${fence}`);
      if (heldUntilMs > atMs + ROUNDING_MS) problems.push(`${what}: ${fence} was handed out while ${newest} was held`);
      tokens.add(fence);
      newest = Math.max(newest, fence);
    } else if (kind !== 'ended' && fence < newest)
      problems.push(`${what}: ${fence} was ${kind} after ${newest} was handed out`);
    if (kind === 'settled' && settled.has(fence)) problems.push(`${what}: ${fence} was settled twice`);
    if (kind === 'settled') settled.add(fence);
    if (kind === 'ended') ended.add(fence);
    if (fence !== newest) continue;
    if (ended.has(fence)) heldUntilMs = 0;
    else if (leaseMs !== null) heldUntilMs = atMs + leaseMs;
  }
  return problems;
}
