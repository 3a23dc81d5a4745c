// Health of the database and the server: the database check of doctor, the readiness probe, and the metrics of a process.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import { countPages } from './count-pages.ts';
import type { CheckResult } from '../platform/check-machine.ts';
import { gauge, type MetricSample } from '../platform/metrics.ts';
import { PROGRAM_VERSION } from '../platform/program-version.ts';
import type { Store } from '../store/port.ts';

/** A run that was not started for so long has no worker. */
const UNCLAIMED_RUN_MS = 60_000;

/** Returns null if the server is ready, otherwise the reason why not. */
export function createReadiness(store: Pick<Store, 'runs'>, now: () => number): () => Promise<string | null> {
  return async () => {
    try {
      const live = await store.runs.live();
      const unclaimed = live.find(
        (run) => run.startedAt === null && now() - run.createdAt.getTime() > UNCLAIMED_RUN_MS,
      );
      return unclaimed === undefined ? null : `no worker has taken run ${unclaimed.id}`;
    } catch {
      return 'the database does not respond';
    }
  };
}

const LOOP_RESOLUTION_MS = 10;

/** What this process is and uses, for the thread that serves requests. */
export function createProcessGauges(engine: Store['engine']): () => readonly MetricSample[] {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  const build = { version: PROGRAM_VERSION, node: process.versions.node, engine };
  return () => {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const samples = [
      gauge('build_info', 1, build),
      gauge('resident_memory_bytes', rss),
      gauge('heap_used_bytes', heapUsed),
      gauge('cpu_seconds_total', (user + system) / 1e6),
      gauge('uptime_seconds', process.uptime()),
      gauge('event_loop_delay_p99_seconds', loop.percentile(99) / 1e9),
      gauge('event_loop_delay_max_seconds', loop.max / 1e9),
    ];
    // The percentiles cover the time since the last call.
    loop.reset();
    return samples;
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
