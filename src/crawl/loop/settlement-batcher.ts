// Group commit: finished pages are settled together, because a transaction costs as much as the pages in it. Pages that
// finish at about the same time share one, and while a batch commits the next one fills up.

import type { Log } from '../../platform/log.ts';
import type { Settlement, Store } from '../../store/port.ts';
import { retryWhileUnavailable } from '../context/retry.ts';

export interface SettlementBatcher {
  /**
   * Resolves when the settlement is committed, or found superseded. An unavailable database is waited for: a parsed
   * page is not fetched again, and a commit whose response was lost is found settled.
   */
  settle(settlement: Settlement, signal: AbortSignal): Promise<'settled' | 'superseded'>;
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
  readonly resolve: (result: 'settled' | 'superseded') => void;
  readonly reject: (error: unknown) => void;
}

const noop = (): void => undefined;

export function createSettlementBatcher({ store, log, inFlight }: SettlementBatcherDeps): SettlementBatcher {
  const waiting: PendingSettlement[] = [];
  let isBusy = false;
  let notifyAdded = noop;
  const logWaiting = (error: unknown): void => log.warn('settlements waiting for the database', { error });

  const isFull = (): boolean => waiting.length >= Math.min(MAX_BATCH_SIZE, inFlight());

  async function awaitBatch(): Promise<void> {
    if (isFull()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      notifyAdded = () => {
        if (!isFull()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function drain(signal: AbortSignal): Promise<void> {
    isBusy = true;
    while (waiting.length > 0) {
      await awaitBatch();
      const batch = waiting.splice(0, MAX_BATCH_SIZE);
      try {
        const settlements = batch.map(({ settlement }) => settlement);
        const results = await retryWhileUnavailable(() => store.frontier.settle(settlements), signal, logWaiting);
        batch.forEach(({ resolve }, i) => resolve(results[i] ?? 'superseded'));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
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
