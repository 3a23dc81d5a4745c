// One failover under load: what was acknowledged and is gone, how long nothing went on, and whether search, change feed, event stream and
// every invariant hold afterwards.

import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.ts';
import { startDatabaseProxy } from '../faults/database-proxy.ts';
import { startPgbouncer } from '../../support/pgbouncer.ts';
import { startLoadedLibrary, wordOf, type LoadedLibrary } from './loaded-library.ts';
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
const LAST_EVENT = 'select last::int as n from event_head';
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

    const sources = new Set(
      (await cluster.sql<{ name: string }>(newer, 'select name from sources')).map(({ name }) => name),
    );
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
      problems: [
        ...(await siteProblems(cluster, newer, load)),
        ...(await searchProblems(load, sources)),
        ...(await feedProblems(cluster, newer, load)),
        ...(await eventProblems(() => count(newer, LAST_EVENT), load)),
        ...(await load.client.verify()).violations.map((violation) => `verify: ${JSON.stringify(violation)}`),
      ],
    };
  } finally {
    await load.close();
    await pooler?.close();
    await address.close();
    await cluster.remove();
  }
}

/** Stored set equals the site. */
async function siteProblems(cluster: PostgresCluster, node: PostgresNode, { site }: LoadedLibrary): Promise<string[]> {
  const rows = await cluster.sql<{ url: string }>(node, `select url from pages where alias_key is null order by url`);
  const stored = new Set(rows.filter(({ url }) => url.startsWith(site.origin)).map(({ url }) => new URL(url).pathname));
  const expected = [...site.oracle.stored.keys()];
  const missing = expected.filter((path) => !stored.has(path));
  const extra = [...stored].filter((path) => !site.oracle.stored.has(path));
  return [...missing.map((path) => `${path} is missing`), ...extra.map((path) => `${path} should not be stored`)];
}

/** A search for the word of each source finds its page, and nothing for a source that is gone. */
async function searchProblems(
  { client, acknowledged }: LoadedLibrary,
  sources: ReadonlySet<string>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { source } of acknowledged) {
    const word = wordOf(Number(source.slice('note-'.length)));
    const { passages } = await client.search({ query: word });
    const isFound = passages.some(({ text }) => text.includes(word));
    if (isFound !== sources.has(source)) problems.push(`a search ${isFound ? 'finds' : 'does not find'} ${source}`);
  }
  return problems;
}

/** The copy of a consumer is what the library has. */
async function feedProblems(cluster: PostgresCluster, node: PostgresNode, { feed }: LoadedLibrary): Promise<string[]> {
  const rows = await cluster.sql<{ line: string }>(
    node,
    `select p.version_id || ' ' || p.url || ' ' || encode(c.chunk_id, 'hex') as line from chunks c join pages p using (version_id, url_key) where p.alias_key is null`,
  );
  const expected = rows.map(({ line }) => line).toSorted();
  const isEqual = (): boolean => JSON.stringify(feed.chunks()) === JSON.stringify(expected);
  return waitUntil('the copy is equal', isEqual, 60_000).then(
    () => [],
    () => [`the copy of the feed has ${feed.chunks().length} chunks, the library ${expected.length}`],
  );
}

/** A listener that connects again goes on to the newest event. */
async function eventProblems(last: () => Promise<number>, { events }: LoadedLibrary): Promise<string[]> {
  return waitUntil('the newest event arrives', async () => events.seen.at(-1) === (await last()), 60_000).then(
    () => [],
    async () => [`the stream is at event ${events.seen.at(-1)} of ${await last()}`],
  );
}
