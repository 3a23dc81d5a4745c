// Invariants after a run, whatever happened during it: from inside by `verify`, and from outside by what the site, the
// receiver and the follower know.

import { queryTokens } from '../../../src/core/lexical/query/parsed-query.ts';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import type { RunId, VersionId } from '../../../src/core/model/run.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { SEGMENT_STATE } from '../../../src/store/sql/engine/states.ts';
import type { Store } from '../../../src/store/port.ts';
import { PRIVATE_PATH, wordOf, type SimulatedSite } from './simulated-site.ts';

/** As many as a site has, and more. */
const ALL_PAGES = 1000;
const MAX_LISTED = 3;
/** Times are sums of fractions. */
const ROUNDING_MS = 0.01;

export async function storedPaths(store: Store, version: VersionId): Promise<readonly string[]> {
  const { pages } = await store.pages.list(version, null, ALL_PAGES);
  return pages.map(({ url }) => new URL(url).pathname).sort();
}

/** Stored set and texts equal the site, and search finds each page by the words that it has now, and by no former one. */
export async function compareWithSite(
  store: Store,
  site: SimulatedSite,
  version: VersionId,
  expected: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const stored = await storedPaths(store, version);
  const missing = [...expected.keys()].filter((path) => !stored.includes(path));
  const extra = stored.filter((path) => !expected.has(path));
  if (missing.length > 0) problems.push(`${missing.length} of ${expected.size} pages are missing: ${some(missing)}`);
  if (extra.length > 0) problems.push(`${extra.length} pages should not be stored: ${some(extra)}`);
  const index = createSegmentIndex(store.segments, 8);
  const find = async (words: readonly string[]): Promise<ReadonlySet<string>> => {
    const terms = words.flatMap((word) => queryTokens(word)).map((term) => ({ term, weight: 1 }));
    const found = await index.candidates({ versions: [version], terms, pages: ALL_PAGES, chunksPerPage: 1 });
    return new Set(found.map(({ url }) => new URL(url).pathname));
  };
  // A word is in one revision of one page, so one search for all of them tells as much as one for each.
  const current: string[] = [];
  const earlier: string[] = [];
  for (const path of stored) {
    const revision = expected.get(path);
    if (revision === undefined) continue;
    const page = await store.pages.get(version, `${site.origin}${path}` as PageUrl);
    if (page?.text.includes(wordOf(path, revision)) !== true) problems.push(`${path} has an old text`);
    else current.push(path);
    if (revision > 0) earlier.push(path);
  }
  const found = await find(current.map((path) => wordOf(path, expected.get(path)!)));
  for (const path of current) if (!found.has(path)) problems.push(`a search does not find ${path}`);
  const foundByEarlier = await find(earlier.map((path) => wordOf(path, expected.get(path)! - 1)));
  for (const path of foundByEarlier) problems.push(`a search finds ${path} by a word that it no longer has`);
  return problems;
}

function some(paths: readonly string[]): string {
  return paths.slice(0, MAX_LISTED).join(', ');
}

export async function verifyProblems(store: Store): Promise<readonly string[]> {
  const violations = [...(await store.verify()), ...(await store.findDamage('full')).violations];
  return violations.map(({ invariant, row }) => `${invariant}: ${row}`);
}

export async function runProblems(store: Store, run: RunId): Promise<readonly string[]> {
  const ended = await store.runs.byId(run);
  if (ended?.state === 'completed') return [];
  return [`run ${run} is ${ended?.state ?? 'gone'}: ${ended?.reason ?? 'no reason'}`];
}

/**
 * Requests come no closer together than the delay of the host, less what a process cannot know: when its slot was reserved within
 * the time in which the database answered. None goes where robots.txt forbids.
 */
export function politenessProblems(
  { requests }: SimulatedSite,
  delayMs: number,
  maxAnswerMs: number,
): readonly string[] {
  const minDelayMs = delayMs - maxAnswerMs;
  const forbidden = requests.filter(({ path }) => path.startsWith(PRIVATE_PATH));
  const close = requests.flatMap(({ path, atMs, process }, i) => {
    const before = requests[i - 1];
    if (before === undefined || atMs - before.atMs >= minDelayMs - ROUNDING_MS) return [];
    const both = `${before.path} of ${before.process} and ${path} of ${process}`;
    return [`${(atMs - before.atMs).toFixed(1)} ms between ${both}, not ${minDelayMs}`];
  });
  return [...forbidden.map(({ path }) => `${path} was requested`), ...close.slice(0, MAX_LISTED)];
}

export const RUNNING = 'a run has not ended';

/** Rows that say what is not done yet, or held long after every lease has expired. */
export const UNFINISHED = {
  [RUNNING]: `select id as held from runs where ended_at is null`,
  'the index is behind': `select version_id as held from index_queue limit 1`,
  'an empty segment is searched': `select id as held from search_segments where state = ${SEGMENT_STATE.searchable} and live = 0`,
  // One that was being filled by a process that died is dropped when the owner of the file opens it.
  'a merge is not done': `select id as held from search_segments where state in (${SEGMENT_STATE.merging}, ${SEGMENT_STATE.dropped})`,
  // All of them are small here, so those of one fingerprint are of one tier.
  'a version has segments to merge': `select version_id as held from search_segments where state = ${SEGMENT_STATE.searchable} group by version_id, index_fingerprint having count(*) >= 4`,
  'a webhook is behind': `select name as held from webhooks where position < (select last_change from event_head)`,
  'a URL is claimed': `select url as held from frontier where state = 1`,
  'a run is leased': `select id as held from runs where lease_until is not null`,
  'a webhook is leased': `select name as held from webhooks where lease_until > now_ms()`,
} as const;
