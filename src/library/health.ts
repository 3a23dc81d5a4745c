// Health of the database and the server: the database check of doctor, the readiness probe, and the gauges for
// monitoring.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import { countPages } from './count-pages.ts';
import type { SearchIndex } from '../index/port.ts';
import type { CheckResult } from '../platform/check-machine.ts';
import type { Store } from '../store/port.ts';

export interface ServerHealth {
  /** Null if the server is ready, otherwise the reason why not. */
  readonly readiness: () => Promise<string | null>;
  readonly gauges: () => Promise<Gauges>;
}

export type Gauges = Readonly<Record<string, number>>;

/** A run that was not started for so long has no worker. */
const UNCLAIMED_RUN_MS = 60_000;
const LOOP_RESOLUTION_MS = 10;

/** `readGauges` reads those of the library on another thread: a scrape never makes the one that serves requests wait. */
export function createServerHealth(
  store: Pick<Store, 'runs'>,
  readGauges: () => Promise<Gauges>,
  now: () => number,
): ServerHealth {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  return {
    async readiness() {
      try {
        const live = await store.runs.live();
        const unclaimed = live.find(
          (run) => run.startedAt === null && now() - run.createdAt.getTime() > UNCLAIMED_RUN_MS,
        );
        return unclaimed === undefined ? null : `no worker has taken run ${unclaimed.id}`;
      } catch {
        return 'the database does not respond';
      }
    },
    async gauges() {
      const library = await readGauges();
      const { rss, heapUsed } = process.memoryUsage();
      const sizes = { resident_memory_bytes: rss, heap_used_bytes: heapUsed, uptime_seconds: process.uptime() };
      const loopDelay = {
        event_loop_delay_p99_seconds: loop.percentile(99) / 1e9,
        event_loop_delay_max_seconds: loop.max / 1e9,
      };
      // The percentiles cover the time since the last call.
      loop.reset();
      return {
        ...loopDelay,
        ...library,
        ...sizes,
      };
    },
  };
}

export async function readLibraryGauges(store: Store, index: SearchIndex): Promise<Gauges> {
  const [{ sources, total: pages }, live, lag, webhooks] = await Promise.all([
    countPages(store),
    store.runs.live(),
    index.lag(),
    store.webhooks.list(),
  ]);
  return {
    sources: sources.length,
    pages,
    runs_live: live.length,
    pages_unindexed: lag.pages,
    index_lag_seconds: lag.ageMs / 1000,
    webhooks_failing: webhooks.filter(({ failures }) => failures > 0).length,
  };
}

const CHECK_NAME = 'database';

/** The checks of doctor that need the database. */
export async function checkStore(open: () => Promise<Store>): Promise<readonly CheckResult[]> {
  try {
    const store = await open();
    try {
      return [await checkOpenStore(store), ...(await checkWebhooks(store))];
    } finally {
      await store.close();
    }
  } catch (error) {
    const { message, nextStep } = asPinakesError(error);
    return [{ name: CHECK_NAME, state: 'failed', detail: message, hint: nextStep }];
  }
}

async function checkOpenStore(store: Store): Promise<CheckResult> {
  const {
    violations: [damage],
  } = await store.findDamage('quick');
  if (damage !== undefined)
    return {
      name: CHECK_NAME,
      state: 'failed',
      detail: `${store.engine}, damaged: ${damage.row}`,
      hint: 'Run pinakes verify for details, and pinakes restore FILE with a backup',
    };
  const { total } = await countPages(store);
  const detail = `${store.engine}, ${total} pages`;
  try {
    await store.vectors.requireSearch();
    return { name: CHECK_NAME, state: 'ok', detail, hint: null };
  } catch (error) {
    const { message, nextStep } = asPinakesError(error);
    return { name: CHECK_NAME, state: 'missing', detail: `${detail}; ${message}`, hint: nextStep };
  }
}

/** Nothing without webhooks. One that fails is not a missing requirement of this machine, so it fails no check. */
async function checkWebhooks({ webhooks }: Store): Promise<readonly CheckResult[]> {
  const all = await webhooks.list();
  const [broken] = all.filter(({ failures }) => failures > 0);
  if (all.length === 0) return [];
  if (broken === undefined) return [{ name: 'webhooks', state: 'ok', detail: `${all.length} work`, hint: null }];
  const { name, failures, lastFailure } = broken;
  return [
    {
      name: 'webhooks',
      state: 'missing',
      detail: `${name} failed ${failures} times: ${lastFailure ?? ''}`,
      hint: `Repair the receiver, then run pinakes webhooks test ${name}`,
    },
  ];
}

function asPinakesError(error: unknown): PinakesError {
  return error instanceof PinakesError ? error : pinakesError('internal', { why: String(error) }, error);
}
