// URLs of a run with a maximum depth that were fetched when only a longer path to them was known: their priority is still the depth of that
// path. Each is found once, because what is done about it makes the two equal.

import type { PageUrl } from '../../../core/model/page-url.ts';
import { DISCOVERY_KINDS, type ShortenedUrl } from '../../port/frontier.ts';
import type { Run, RunLease } from '../../port/runs.ts';
import { keyBytes } from '../engine/codec.ts';
import { batch, type Engine } from '../engine/engine.ts';
import { FIRST_KEY, nextKeyWindow } from '../engine/key-window.ts';
import { URL_STATE } from '../engine/states.ts';
import { underLease } from '../runs/run-row.ts';

/** URLs of the version that one statement looks at. */
const EXAMINED_URLS = 20_000;

const selectShortened = `select f.url, f.depth, t.url as target from frontier f
    left join frontier t on t.version_id = f.version_id and t.url_key = f.target_key
  where f.version_id = $1 and f.run_id = $2 and f.state = ${URL_STATE.settled} and f.found_by = ${DISCOVERY_KINDS.indexOf('link')} and f.depth < f.priority
    and f.url_key > $4 and f.url_key <= $5 order by f.url_key limit $3`;

const settleDepth = batch(
  { url_key: 'bytes', depth: 'int' },
  `update frontier set priority = r.depth from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2
     and frontier.state = ${URL_STATE.settled} and frontier.depth = r.depth`,
  ['int', 'int'],
);

interface ShortenedRow {
  readonly url: PageUrl;
  readonly depth: number;
  readonly target: PageUrl | null;
}

/** The run is drained and has one coordinator, so nothing changes between two windows. */
export async function shortenedUrls({ reader }: Engine, run: Run, limit: number): Promise<readonly ShortenedUrl[]> {
  const found: ShortenedUrl[] = [];
  for (let after = FIRST_KEY; ;) {
    const { end, isLast } = await nextKeyWindow(reader, 'frontier', run.version, { after, rows: EXAMINED_URLS });
    const values = [run.version, run.id, limit - found.length, after, end];
    for (const { url, depth, target } of await reader.all<ShortenedRow>(selectShortened, values))
      found.push({ url, depth, movedTo: target });
    if (isLast || found.length >= limit) return found;
    after = end;
  }
}

export async function settleDepths(engine: Engine, lease: RunLease, urls: readonly ShortenedUrl[]): Promise<void> {
  const { run } = lease;
  const rows = urls.map(({ url, depth }) => [keyBytes(url), depth] as const).sort(([a], [b]) => Buffer.compare(a, b));
  await underLease(
    engine,
    lease,
    undefined,
    async (tx) => void (await tx.each(settleDepth, rows, [run.version, run.id])),
  );
}
