// Health of the database and the server: the database check of doctor, the readiness probe, and the metrics of a process.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import { pluralize } from '../core/text/plural.ts';
import type { CheckResult } from '../platform/check-machine.ts';
import { gauge, type MetricSample } from '../platform/metrics.ts';
import { PROGRAM_VERSION } from '../platform/program-version.ts';
import type { SearchIndex } from '../index/port.ts';
import type { Store } from '../store/port.ts';

/**
 * Returns null if the server can serve, otherwise the reason why not. What workers do has no effect on it, nor the index, which
 * all servers share: one that is built again answers from its former state, and a load balancer has no better server.
 */
export function createReadiness(store: Pick<Store, 'runs'>): () => Promise<string | null> {
  return async () => {
    try {
      await store.runs.live();
      return null;
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
  const build = { version: PROGRAM_VERSION, node: process.versions.node, database: engine };
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
export async function checkStore(
  open: () => Promise<Store>,
  openIndex: (store: Store) => Pick<SearchIndex, 'problem'>,
): Promise<readonly CheckResult[]> {
  try {
    const store = await open();
    try {
      return [
        await checkOpenStore(store),
        ...(await checkProjects(store)),
        ...(await checkWebhooks(store)),
        ...(await checkIndex(openIndex(store))),
      ];
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
  const detail = `${store.engine}, ${await store.stats.totalPages()} pages`;
  try {
    await store.vectors.requireSearch();
    return { name: CHECK_NAME, state: 'ok', detail, hint: null };
  } catch (error) {
    const { message, nextStep } = asPinakesError(error);
    return { name: CHECK_NAME, state: 'missing', detail: `${detail}; ${message}`, hint: nextStep };
  }
}

const SHOWN_PROJECTS = 5;

/** Nothing if no project was synced. */
async function checkProjects({ projects }: Store): Promise<readonly CheckResult[]> {
  const synced = await projects.list();
  if (synced.length === 0) return [];
  const shown = synced
    .slice(0, SHOWN_PROJECTS)
    .map(({ folder, versions }) => `${folder} (${pluralize(versions.length, 'package')})`);
  const more = synced.length > SHOWN_PROJECTS ? [`${synced.length - SHOWN_PROJECTS} more`] : [];
  return [{ name: 'projects', state: 'ok', detail: [...shown, ...more].join(', '), hint: null }];
}

/** Nothing without a problem. Whether the engine responds is another check. */
async function checkIndex(index: Pick<SearchIndex, 'problem'>): Promise<readonly CheckResult[]> {
  const detail = await index.problem().catch(() => null);
  const hint = 'Keep a worker running until the index is built';
  return detail === null ? [] : [{ name: 'index', state: 'failed', detail, hint }];
}

/** Nothing without webhooks. One that fails is not a missing requirement of this machine, so it fails no check. */
async function checkWebhooks({ webhooks }: Store): Promise<readonly CheckResult[]> {
  const all = await webhooks.list();
  const [broken] = all.filter(({ failures, state }) => failures > 0 || state === 'disabled');
  if (all.length === 0) return [];
  if (broken === undefined) return [{ name: 'webhooks', state: 'ok', detail: `${all.length} work`, hint: null }];
  const { name, failures, lastFailure } = broken;
  return [
    {
      name: 'webhooks',
      state: 'missing',
      detail: `${name} ${failures === 0 ? 'is disabled' : `failed ${failures} times`}: ${lastFailure ?? ''}`,
      hint: `Repair the receiver, then run pinakes webhooks test ${name}`,
    },
  ];
}

function asPinakesError(error: unknown): PinakesError {
  return error instanceof PinakesError ? error : pinakesError('internal', { reason: String(error) }, error);
}
