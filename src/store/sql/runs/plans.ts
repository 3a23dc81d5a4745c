// The plans of runs and the ranks of their queues.

import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import { SETTLED_OUTCOMES } from '../../../core/model/outcome.ts';
import { DISCOVERY_KINDS, USUAL_RANK } from '../../port/frontier.ts';
import type { Plans, SettledEvent } from '../../port/plans.ts';
import { LISTS } from '../analysis/site-coverage.ts';
import { hex, jsonObject, jsonText, keyBytes } from '../engine/codec.ts';
import { batch, singleStatement, type Engine } from '../engine/engine.ts';
import { RETRY_RANK, URL_STATE } from '../engine/states.ts';
import { LINK_KEY_BYTES } from '../pages/write-pages.ts';
import { holdsLease } from './run-row.ts';

const upsertPlan = `insert into run_plans (run_id, plan) values ($1, $2) on conflict (run_id) do update set plan = excluded.plan`;
const updateProgress = `update run_plans set progress = $2 where run_id = $1`;
const selectPlan = `select plan, progress from run_plans where run_id = $1`;

const KINDS = SETTLED_OUTCOMES.map((kind) => `'${kind}'`).join(', ');
const selectSettled = `select e.seq, e.url, e.kind, r.version_id from events e join runs r on r.id = e.run_id
  where e.run_id = $1 and e.seq > $2 and e.kind in (${KINDS}) and e.url is not null order by e.seq limit $3`;
const selectPages = singleStatement(
  batch(
    { url_key: 'bytes' },
    `select p.url, p.metadata, (select l.targets from page_links l where l.version_id = p.version_id and l.url_key = p.url_key) as targets,
       (select sum(c.tokens) from chunks c where c.version_id = p.version_id and c.url_key = p.url_key) as tokens
     from {rows} r {then pages p where p.version_id = $1 and p.url_key = r.url_key}`,
    ['int'],
  ),
);

const selectQueued = `select url, rank, parent_key, found_by from frontier where run_id = $1 and state = ${URL_STATE.queued} and rank < ${RETRY_RANK}
  order by host_id, rank, priority, url_key limit $2`;
const selectUnranked = `select url, rank, parent_key, found_by from frontier where run_id = $1 and state = ${URL_STATE.queued} and rank = ${USUAL_RANK}
  order by host_id, priority, url_key limit $2`;
/** Only the live run has queued URLs. With a condition on the run, PostgreSQL may read the whole queue to find a few rows of it. */
const updateRank = batch(
  { url_key: 'bytes', rank: 'int' },
  `update frontier set rank = r.rank from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key
     and frontier.state = ${URL_STATE.queued} and frontier.rank < ${RETRY_RANK}`,
  ['int'],
);
/** Rows of one transaction: claims wait for it. */
const RANKED_ROWS = 500;

interface QueuedRow {
  readonly url: string;
  readonly rank: number;
  readonly parent_key: Uint8Array | null;
  readonly found_by: number;
}

interface SettledRow {
  readonly seq: number;
  readonly url: string;
  readonly kind: string;
  readonly version_id: number;
}

interface PageRow {
  readonly url: string;
  readonly metadata: string;
  readonly targets: Uint8Array | null;
  readonly tokens: number | string | null;
}

export function createPlans(engine: Engine): Plans {
  const { reader } = engine;
  return {
    save: (lease, plan) =>
      engine.transaction(async (tx) => {
        if (!(await holdsLease(tx, lease))) return false;
        await tx.all(upsertPlan, [lease.run.id, jsonText(plan)]);
        return true;
      }),
    saveProgress: (lease, progress) =>
      engine.transaction(async (tx) => {
        if (await holdsLease(tx, lease)) await tx.all(updateProgress, [lease.run.id, jsonText(progress)]);
      }),
    async load(run) {
      const [row] = await reader.all<{ plan: string; progress: string | null }>(selectPlan, [run]);
      if (row === undefined) return null;
      return { plan: jsonObject(row.plan), progress: row.progress === null ? null : jsonObject(row.progress) };
    },
    async settled(run, after, limit) {
      const rows = await reader.all<SettledRow>(selectSettled, [run, after, limit]);
      const [first] = rows;
      if (first === undefined) return { urls: [], after };
      const keys = [...new Set(rows.map(({ url }) => url))].map((url) => [keyBytes(url as PageUrl)]);
      const pages = new Map(
        (await reader.each<PageRow>(selectPages, keys, [first.version_id])).map((page) => [page.url, page]),
      );
      return { urls: rows.map((row) => toSettled(row, pages.get(row.url))), after: rows.at(-1)?.seq ?? after };
    },
    async queued(run, which, limit) {
      const statement = which === 'first' ? selectQueued : selectUnranked;
      const rows = await reader.all<QueuedRow>(statement, [run, limit]);
      return rows.map(({ url, rank, parent_key: parent, found_by: foundBy }) => ({
        url: url as PageUrl,
        rank,
        parent: parent === null ? null : (hex(parent) as UrlKey),
        isListed: LISTS[DISCOVERY_KINDS[foundBy] ?? 'link'] !== undefined,
      }));
    },
    async rank(lease, ranks) {
      const rows = ranks.map(({ url, rank }) => [keyBytes(url), rank] as const);
      const inKeyOrder = rows.toSorted((a, b) => Buffer.compare(a[0], b[0]));
      for (let first = 0; first < inKeyOrder.length; first += RANKED_ROWS) {
        const some = inKeyOrder.slice(first, first + RANKED_ROWS);
        await engine.transaction(async (tx) => {
          if (await holdsLease(tx, lease)) await tx.each(updateRank, some, [lease.run.version]);
        });
      }
    },
  };
}

function toSettled({ url, kind }: SettledRow, page: PageRow | undefined): SettledEvent {
  const pageKind = page === undefined ? null : jsonObject(page.metadata)['pageKind'];
  const { tokens = null, targets = null } = page ?? {};
  return {
    url: url as PageUrl,
    kind,
    tokens: tokens === null ? null : Number(tokens),
    pageKind: typeof pageKind === 'string' ? pageKind : null,
    targets: targets === null ? [] : prefixesIn(targets),
  };
}

function prefixesIn(targets: Uint8Array): string[] {
  const digits = hex(targets);
  const length = LINK_KEY_BYTES * 2;
  return Array.from({ length: digits.length / length }, (_, nth) => digits.slice(nth * length, (nth + 1) * length));
}
