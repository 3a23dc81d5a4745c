// The changes of a library as a consumer reads them: first everything that is there, then what changes, in the order of the commits.

import { withSuggestions } from '../core/text/edit-distance.ts';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import type { UrlKey } from '../core/model/page-url.ts';
import type { VersionId } from '../core/model/run.ts';
import type { Change, Changes, NamedVersion, PageChunkIds } from '../store/port/changes.ts';
import { monotonicMs, sleepOrAbort } from '../platform/clock.ts';

/**
 * A consumer's saved position. It names the library and the time of the change, so that a position from another library, or from
 * before a restore, is detected: the same number is another change there.
 */
interface ChangePosition {
  /** Null if the consumer gave only a number, which is not checked. */
  readonly library: string | null;
  readonly number: number;
  /** Milliseconds; 0 if it is not known. */
  readonly at: number;
  /** How far everything was listed; null once it is. */
  readonly listing: Listing | null;
}

interface Listing {
  readonly version: VersionId;
  /** The last page that was listed; null before the first one. */
  readonly after: UrlKey | null;
}

const POSITION_PATTERN = /^([\da-f]{16})-(\d{1,15})-([\da-z]{1,9})(?:-(\d{1,9})-([\da-f]{32})?)?$/;

/** Raises `input.invalid`. */
export function parsePosition(text: string): ChangePosition {
  if (/^\d{1,15}$/.test(text)) return { library: null, number: Number(text), at: 0, listing: null };
  const [, library, number, at = '', version, after] = POSITION_PATTERN.exec(text) ?? [];
  if (library === undefined) throw pinakesError('input.invalid', { reason: `${text.slice(0, 100)} is not a position` });
  const listing =
    version === undefined
      ? null
      : { version: Number(version) as VersionId, after: after === undefined ? null : (after as UrlKey) };
  return { library, number: Number(number), at: Number.parseInt(at, 36), listing };
}

export function formatPosition({ library, number, at, listing }: ChangePosition): string {
  const from = `${library ?? ''}-${number}-${at.toString(36)}`;
  return listing === null ? from : `${from}-${listing.version}-${listing.after ?? ''}`;
}

/** The position of the newest change. */
export async function latestPosition(changes: Changes): Promise<ChangePosition> {
  const { library, latest } = await changes.range();
  return { library, number: latest, at: (await changes.timeOf(latest))?.getTime() ?? 0, listing: null };
}

/** Raises `changes.expired` for a position that is not of this library. */
export async function checkPosition(changes: Changes, position: ChangePosition): Promise<void> {
  const { library, number, at } = position;
  if (library === null) return;
  const range = await changes.range();
  const found = at === 0 ? null : await changes.timeOf(number);
  const isOurs = library === range.library && (found === null || found.getTime() === at);
  if (!isOurs || number < range.oldest || number > range.latest) throw await expired(changes, position);
}

async function expired(changes: Changes, position: ChangePosition, cause?: unknown): Promise<Error> {
  const latest = formatPosition(await latestPosition(changes));
  return pinakesError('changes.expired', { position: formatProvided(position), latest }, cause);
}

function formatProvided(position: ChangePosition): string {
  return position.library === null ? String(position.number) : formatPosition(position);
}

export interface FeedRequest {
  /** A position, `now` for the newest one, or null to list everything first. */
  readonly since: string | null;
  /** Only changes of this source. */
  readonly source: string | null;
  readonly limit: number;
}

/** One page, or the end of the list. */
export type FeedItem =
  | {
      readonly kind: 'listed' | 'new' | 'changed' | 'removed';
      readonly position: string;
      readonly revision: number;
      readonly at: Date;
      readonly source: string;
      readonly version: string;
      readonly versionId: number;
      readonly url: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly kind: 'list-end'; readonly position: string };

export interface FeedPage {
  readonly items: readonly FeedItem[];
  /** Where to continue. */
  readonly position: string;
  /** False if there is nothing after it at present. */
  readonly hasMore: boolean;
}

/** Rows that one call reads at most, however few of them are of the source. */
const MAX_READ = 10_000;

/** While nothing changes, the newest position is read this often: a row of the database. */
const MIN_POLL_MS = 50;
const MAX_POLL_MS = 1000;

/** `readFeed`, which waits up to `waitMs` for the next change if there is none. */
export async function awaitFeed(
  changes: Changes,
  request: FeedRequest,
  waitMs: number,
  signal: AbortSignal,
): Promise<FeedPage> {
  const until = monotonicMs() + waitMs;
  let page = await readFeed(changes, request);
  for (let pollMs = MIN_POLL_MS; page.items.length === 0; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    const leftMs = until - monotonicMs();
    if (!page.hasMore) {
      if (leftMs <= 0) return page;
      await sleepOrAbort(Math.min(pollMs, leftMs), signal);
    }
    signal.throwIfAborted();
    if (page.hasMore || (await changes.latest()) !== parsePosition(page.position).number)
      page = await readFeed(changes, { ...request, since: page.position });
  }
  return page;
}

/** Raises `changes.expired`, `input.invalid` or `source.unknown`. */
export async function readFeed(changes: Changes, { since, source, limit }: FeedRequest): Promise<FeedPage> {
  const names = await openNames(changes, source);
  if (since === 'now') return { items: [], position: formatPosition(await latestPosition(changes)), hasMore: false };
  const position = since === null ? await beginListing(changes) : parsePosition(since);
  await checkPosition(changes, position);
  const { listing } = position;
  return listing === null
    ? readChanges(changes, position, { names, limit })
    : listPages(changes, { ...position, listing }, { names, limit });
}

interface Names {
  readonly all: readonly NamedVersion[];
  /** Undefined if a program that kept no names has removed it. */
  of(version: VersionId): Promise<NamedVersion | undefined>;
  isSelected(named: NamedVersion | undefined): boolean;
}

async function openNames(changes: Changes, source: string | null): Promise<Names> {
  const all = await changes.versions();
  if (source !== null && !all.some((version) => version.source === source)) {
    const present = all.filter(({ isRemoved }) => !isRemoved).map((version) => version.source);
    throw pinakesError('source.unknown', { source: withSuggestions(source, [...new Set(present)]) });
  }
  let known = new Map(all.map((version) => [version.version, version]));
  return {
    all,
    async of(version) {
      // It may have been added since.
      if (!known.has(version)) known = new Map((await changes.versions()).map((one) => [one.version, one]));
      return known.get(version);
    },
    isSelected: (named) => source === null || named?.source === source,
  };
}

interface Selection {
  readonly names: Names;
  readonly limit: number;
}

/** The list begins at the newest position: what changes while it is read comes after it, so that nothing is missed. */
async function beginListing(changes: Changes): Promise<ChangePosition> {
  return { ...(await latestPosition(changes)), listing: { version: 0 as VersionId, after: null } };
}

async function listPages(
  changes: Changes,
  position: ChangePosition & { readonly listing: Listing },
  { names, limit }: Selection,
): Promise<FeedPage> {
  const { listing: from } = position;
  const at = (listing: Listing | null): string => formatPosition({ ...position, listing });
  const items: FeedItem[] = [];
  const selected = names.all.filter((one) => !one.isRemoved && one.version >= from.version && names.isSelected(one));
  for (const one of selected) {
    let after: UrlKey | null = one.version === from.version ? from.after : null;
    do {
      const found = await changes.listPages(one.version, after, limit - items.length);
      for (const page of found.pages)
        items.push(listedItem(one, page, position.number, at({ version: one.version, after: page.page })));
      after = found.after;
      if (items.length >= limit)
        return { items, position: at({ version: one.version, after: after ?? LAST_KEY }), hasMore: true };
    } while (after !== null);
  }
  const end = at(null);
  items.push({ kind: 'list-end', position: end });
  return { items, position: end, hasMore: position.number < (await changes.range()).latest };
}

/** After every page of a version. */
const LAST_KEY = 'f'.repeat(32) as UrlKey;

function listedItem(named: NamedVersion, page: PageChunkIds, revision: number, position: string): FeedItem {
  const { source, label: version, version: versionId } = named;
  const owner = { source, version, versionId, url: page.url };
  return { kind: 'listed', position, revision, at: page.changedAt, ...owner, added: page.chunks, removed: [] };
}

async function readChanges(changes: Changes, from: ChangePosition, { names, limit }: Selection): Promise<FeedPage> {
  const { library } = await changes.range();
  const items: FeedItem[] = [];
  let last: ChangePosition = from.library === null ? { ...from, library } : from;
  for (let read = 0; read < MAX_READ;) {
    const rows = await changes.after(last.number, limit).catch(async (error: unknown) => {
      throw error instanceof PinakesError && error.code === 'changes.expired'
        ? await expired(changes, from, error)
        : error;
    });
    for (const row of rows) {
      last = { library, number: row.position, at: row.at.getTime(), listing: null };
      const named = await names.of(row.version);
      if (row.isHidden !== true && names.isSelected(named)) items.push(changedItem(row, named, formatPosition(last)));
      if (items.length >= limit) break;
    }
    read += rows.length;
    const isEnd = rows.length < limit && last.number === (rows.at(-1)?.position ?? last.number);
    if (isEnd) return { items, position: formatPosition(last), hasMore: false };
    if (items.length >= limit) break;
  }
  return { items, position: formatPosition(last), hasMore: true };
}

function changedItem(change: Change, named: NamedVersion | undefined, position: string): FeedItem {
  const { kind, revision, at, version: versionId, url, added, removed } = change;
  const owner = { source: named?.source ?? '', version: named?.label ?? '', versionId, url };
  return { kind, position, revision, at, ...owner, added, removed };
}
