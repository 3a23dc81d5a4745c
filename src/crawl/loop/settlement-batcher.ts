// Group commit: finished pages are settled together, because a transaction costs as much as the pages in it. Pages that
// finish at about the same time share one, and while a batch commits the next one fills up. A batch that the database rejects is
// split, so that one page which cannot be stored does not hold up the others.

import { PinakesError } from '../../core/model/errors.ts';
import { after } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/port.ts';
import type { Settlement } from '../../store/port/frontier.ts';
import { isStatementTimeout, retryWhileUnavailable } from '../context/retry.ts';

type SettleResult = 'settled' | 'superseded' | 'rejected';

export interface SettlementBatcher {
  /**
   * Resolves when the settlement is committed, or found superseded. An unavailable database is waited for: a parsed
   * page is not fetched again, and a commit whose response was lost is found settled. A page that cannot be stored is settled
   * as failed, without its links. Rejects with `database.timeout` if this settlement alone takes the database too long.
   */
  settle(settlement: Settlement, signal: AbortSignal): Promise<SettleResult>;
}

/** Keeps a transaction short, however fast pages finish. */
const MAX_BATCH_SIZE = 32;
/** How long the first settlement waits for others. */
const GATHER_MS = 10;

export interface SettlementBatcherDeps {
  readonly store: Store;
  readonly log: Log;
  /** How many pages are in flight: when all of them wait here, the batch is complete. */
  readonly inFlight: () => number;
}

interface PendingSettlement {
  readonly settlement: Settlement;
  readonly resolve: (result: SettleResult) => void;
  readonly reject: (error: unknown) => void;
}

const noop = (): void => undefined;

function isRejected(error: unknown): error is PinakesError {
  return error instanceof PinakesError && error.code === 'database.rejected';
}

export function createSettlementBatcher({ store, log, inFlight }: SettlementBatcherDeps): SettlementBatcher {
  const waiting: PendingSettlement[] = [];
  let isBusy = false;
  let notifyAdded = noop;
  const settleBatch = createSettleBatch(store, log);

  const isFull = (): boolean => waiting.length >= Math.min(MAX_BATCH_SIZE, inFlight());

  async function awaitBatch(): Promise<void> {
    if (isFull()) return;
    await new Promise<void>((resolve) => {
      const timer = after(GATHER_MS, resolve);
      notifyAdded = () => {
        if (!isFull()) return;
        timer.cancel();
        resolve();
      };
    });
  }

  async function drain(signal: AbortSignal): Promise<void> {
    isBusy = true;
    while (waiting.length > 0) {
      await awaitBatch();
      await settleBatch(waiting.splice(0, MAX_BATCH_SIZE), signal);
    }
    isBusy = false;
  }

  return {
    settle(settlement, signal) {
      return new Promise((resolve, reject) => {
        waiting.push({ settlement, resolve, reject });
        if (isBusy) notifyAdded();
        else void drain(signal);
      });
    },
  };
}

type SettleBatch = (batch: readonly PendingSettlement[], signal: AbortSignal) => Promise<void>;

/** Never rejects: each settlement gets its own result. */
function createSettleBatch(store: Store, log: Log): SettleBatch {
  const logWaiting = (error: unknown): void => log.warn('settlements waiting for the database', { error });
  const settleNow = (settlements: readonly Settlement[], signal: AbortSignal) =>
    retryWhileUnavailable(() => store.frontier.settle(settlements), signal, logWaiting, 1);

  async function settleAsFailed({ settlement, resolve }: PendingSettlement, error: PinakesError, signal: AbortSignal) {
    log.error('page cannot be stored', { url: settlement.claim.url, error });
    const outcome = { kind: 'failed', reason: error.code } as const;
    const [result] = await settleNow([{ ...settlement, outcome, links: [], excluded: [] }], signal);
    resolve(result === 'settled' ? 'rejected' : 'superseded');
  }

  return async function settleBatch(batch, signal) {
    try {
      const settlements = batch.map(({ settlement }) => settlement);
      const results = await settleNow(settlements, signal);
      batch.forEach(({ resolve }, i) => resolve(results[i] ?? 'superseded'));
    } catch (error) {
      const [first] = batch;
      if (first === undefined) return;
      // One page may be too much for the database: it must not fail the others, so each is tried alone.
      if (isStatementTimeout(error) && batch.length > 1) for (const one of batch) await settleBatch([one], signal);
      else if (!isRejected(error)) for (const { reject } of batch) reject(error);
      else if (batch.length === 1) await settleAsFailed(first, error, signal).catch(first.reject);
      else {
        const middle = Math.ceil(batch.length / 2);
        await settleBatch(batch.slice(0, middle), signal);
        await settleBatch(batch.slice(middle), signal);
      }
    }
  };
}
