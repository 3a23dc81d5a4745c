// One failover under load: what was acknowledged and is gone, how long nothing went on, and whether search, change feed, event stream and
// every invariant hold afterwards.

import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.ts';
import { startDatabaseProxy } from '../faults/database-proxy.ts';
import { startPgbouncer } from '../../support/pgbouncer.ts';
import { LAST_EVENT, libraryProblems, storedSources } from './library-problems.ts';
import { startLoadedLibrary } from './loaded-library.ts';
import { createPostgresCluster, type PostgresCluster, type PostgresNode } from './postgres-cluster.ts';

export interface FailoverCase {
  readonly name: string;
  readonly replication: 'synchronous' | 'asynchronous';
  readonly isPooled?: boolean;
  /** May commits that were acknowledged be lost? */
  readonly loses: boolean;
  /** Ends with the primary that serves from now on. */
  readonly failOver: (step: FailoverStep) => Promise<PostgresNode>;
}

export interface FailoverStep {
  readonly cluster: PostgresCluster;
  /** The address of the database leads to these servers from now on. */
  readonly lead: (...nodes: readonly PostgresNode[]) => void;
  /** Called when the primary is about to fail. */
  readonly failing: () => void;
  /** Some seconds under load. */
  readonly underLoad: (seconds: number) => Promise<void>;
}

export interface FailoverResult {
  readonly case: string;
  readonly replication: string;
  readonly acknowledged: number;
  readonly acknowledgedLost: number;
  /** Events that a listener had received and that the new primary did not have. */
  readonly eventsLost: number;
  /** From the failure of the primary, or from when the address moved, to the next acknowledged write and the next settled page. */
  readonly writesAgainMs: number;
  readonly crawlsAgainMs: number;
  /** The part of that time until the new primary was there. */
  readonly promotedMs: number;
  /** Processes that ended, and why. */
  readonly ends: readonly string[];
  readonly feedListedAgain: number;
  /** Everything that is wrong once all runs have ended. */
  readonly problems: readonly string[];
}

const SETTLED = 'select count(*)::int as n from frontier where settled_at is not null';
const UNFINISHED = 'select count(*)::int as n from runs where ended_at is null';
const QUEUED = 'select count(*)::int as n from index_queue';
/** No measure: a machine that does other work takes long. */
const WITHIN_MS = 900_000;

export async function failOver(failover: FailoverCase): Promise<FailoverResult> {
  const cluster = await createPostgresCluster(failover.replication);
  const address = await startDatabaseProxy(cluster.primary.url);
  const pooler = failover.isPooled === true ? await startPgbouncer(10, cluster.primary.url) : null;
  const load = await startLoadedLibrary(
    pooler?.through(cluster.primary.url) ?? address.url,
    pooler ? address.url : undefined,
  );
  try {
    const count = async (node: PostgresNode, sql: string): Promise<number> =>
      (await cluster.sql<{ n: number }>(node, sql))[0]?.n ?? 0;
    const isUnderWay = (): boolean => load.acknowledged.length >= 10 && load.site.requests.length >= 30;
    await waitUntil('the load is under way', isUnderWay, WITHIN_MS);

    let failedAt = 0;
    const newer = await failover.failOver({
      cluster,
      lead(...nodes) {
        address.lead(nodes.map(({ url }) => url));
        if (nodes[0] !== undefined) pooler?.lead(nodes[0].url);
      },
      failing: () => void (failedAt = performance.now()),
      underLoad: (seconds) => wait(seconds * 1000),
    });
    const promotedMs = performance.now() - failedAt;
    const seenBefore = Math.max(0, ...load.events.seen);
    const eventsLost = Math.max(0, seenBefore - (await count(newer, LAST_EVENT)));
    const settled = await count(newer, SETTLED);
    const before = load.acknowledged.length;
    let crawlsAgainMs = 0;
    await waitUntil(
      'writes and crawls go on',
      async () => {
        if (crawlsAgainMs === 0 && (await count(newer, SETTLED)) > settled)
          crawlsAgainMs = performance.now() - failedAt;
        return crawlsAgainMs > 0 && load.acknowledged.length > before;
      },
      WITHIN_MS,
    );
    const writesAgainMs = load.acknowledged[before]!.atMs - failedAt;
    await wait(2000);
    await load.stopAdding();
    const isDone = async (): Promise<boolean> => (await count(newer, UNFINISHED)) + (await count(newer, QUEUED)) === 0;
    await waitUntil('all runs have ended and are indexed', isDone, WITHIN_MS);

    const query = <Row extends object>(sql: string): Promise<readonly Row[]> => cluster.sql<Row>(newer, sql);
    const sources = await storedSources(query);
    const acknowledgedLost = load.acknowledged.filter(({ source }) => !sources.has(source)).length;
    return {
      case: failover.name,
      replication: failover.replication,
      acknowledged: load.acknowledged.length,
      acknowledgedLost,
      eventsLost,
      promotedMs: Math.round(promotedMs),
      writesAgainMs: Math.round(writesAgainMs),
      crawlsAgainMs: Math.round(crawlsAgainMs),
      ends: load.ends,
      feedListedAgain: load.feed.relisted(),
      problems: await libraryProblems(load, query),
    };
  } finally {
    await load.close();
    await pooler?.close();
    await address.close();
    await cluster.remove();
  }
}
