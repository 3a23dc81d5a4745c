// Gathers finished pages and settles them together: a transaction costs as much as the pages in it, so pages that end at
// about the same time share one, and while one batch commits the next one fills by itself.

import type { Log } from '../../platform/log.ts';
import type { Settlement, Store } from '../../store/port.ts';
import { persistently } from '../context/retry.ts';

export interface SettleQueue {
  /**
   * Resolves when the settlement is committed, or found superseded. A database that is away is waited for: a page that
   * was read is not asked for again, and a commit whose answer was lost is found settled.
   */
  settle(settlement: Settlement, signal: AbortSignal): Promise<'settled' | 'superseded'>;
}

/** Keeps one transaction short, however fast pages finish. */
const MOST_AT_ONCE = 32;
/** How long the first one waits for others. */
const GATHER_MS = 10;

export interface SettleQueueDeps {
  readonly store: Store;
  readonly log: Log;
  /** How many pages may still come: when all of them wait here, nobody else is waited for. */
  readonly inWork: () => number;
}

interface Waiting {
  readonly settlement: Settlement;
  readonly resolve: (result: 'settled' | 'superseded') => void;
  readonly reject: (error: unknown) => void;
}

const nothing = (): void => undefined;

export function createSettleQueue({ store, log, inWork }: SettleQueueDeps): SettleQueue {
  const waiting: Waiting[] = [];
  let isBusy = false;
  let tellMore = nothing;
  const tellWaiting = (error: unknown): void => log.warn('pages wait for the database to be settled', { error });

  const isEnough = (): boolean => waiting.length >= Math.min(MOST_AT_ONCE, inWork());

  async function gather(): Promise<void> {
    if (isEnough()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      tellMore = () => {
        if (!isEnough()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function work(signal: AbortSignal): Promise<void> {
    isBusy = true;
    while (waiting.length > 0) {
      await gather();
      const batch = waiting.splice(0, MOST_AT_ONCE);
      try {
        const settlements = batch.map(({ settlement }) => settlement);
        const results = await persistently(() => store.frontier.settle(settlements), signal, tellWaiting);
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
        if (isBusy) tellMore();
        else void work(signal);
      });
    },
  };
}
