// The URLs of a run, page by page: what was found, where it stands and how it ended.

import { OUTCOME_CODES, OUTCOME_NAMES } from '../../core/model/outcome.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId, VersionId } from '../../core/model/run.ts';
import { FOUND_BY, type FrontierUrl, type LocatedUrl, type UrlQuery } from '../port.ts';
import { dateOf, hex, keyBytes } from './engine/codec.ts';
import type { Engine } from './engine/engine.ts';
import type { FrontierFacts } from './frontier/enqueue-urls.ts';

/** By the numbers in the table. */
const STATES = ['queued', 'claimed', 'waiting', 'settled', 'refused'] as const;

const ANY_OUTCOME = 0;

const listed = `select url_key, url, state, outcome, reason, found_by, depth, attempts, offered_at, settled_at from frontier
  where version_id = $1 and run_id = $2 and url_key > $3 and ($4 = ${ANY_OUTCOME} or outcome = $4) and ($6 = '' or reason = $6) order by url_key limit $5`;

interface UrlRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly state: number;
  readonly outcome: number | null;
  readonly reason: string | null;
  readonly found_by: number;
  readonly depth: number;
  readonly attempts: number;
  readonly offered_at: number;
  readonly settled_at: number | null;
}

export async function listUrls(
  { engine, facts }: { readonly engine: Engine; readonly facts: FrontierFacts },
  run: RunId,
  { outcome, reason, after, limit }: UrlQuery,
): Promise<{ urls: readonly FrontierUrl[]; after: string | null }> {
  const { version } = await facts.ofRun(run);
  const code = outcome === null ? ANY_OUTCOME : OUTCOME_CODES[outcome];
  const from = Buffer.from(after ?? '', 'hex');
  const rows = await engine.reader.all<UrlRow>(listed, [version, run, from, code, limit, reason ?? '']);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { urls: rows.map(urlOf), after: last === undefined ? null : hex(last.url_key) };
}

const located = `select f.url, f.state, f.outcome, f.reason, f.found_by, f.depth, f.attempts, f.offered_at, f.settled_at,
  p.url as parent from frontier f left join frontier p on p.version_id = f.version_id and p.url_key = f.parent_key
  where f.version_id = $1 and f.url_key = $2`;

export async function locateUrl(engine: Engine, version: VersionId, url: PageUrl): Promise<LocatedUrl | null> {
  const [row] = await engine.reader.all<UrlRow & { readonly parent: string | null }>(located, [version, keyBytes(url)]);
  return row === undefined ? null : { ...urlOf(row), parent: row.parent as PageUrl | null };
}

function urlOf(row: UrlRow): FrontierUrl {
  return {
    url: row.url as PageUrl,
    state: STATES[row.state] ?? 'settled',
    outcome: OUTCOME_NAMES.find((name) => OUTCOME_CODES[name] === row.outcome) ?? null,
    reason: row.reason,
    foundBy: FOUND_BY[row.found_by] ?? 'link',
    depth: row.depth,
    attempts: row.attempts,
    offeredAt: new Date(row.offered_at),
    settledAt: dateOf(row.settled_at),
  };
}
