// The URLs of a run: from the frontier, or from the events of an earlier run, whose rows the next run has taken over.

import { OUTCOME_NAMES, type OutcomeName } from '../../core/model/outcome.ts';
import { urlKey } from '../../core/model/page-url.ts';
import type { Store } from '../../store/port.ts';
import { DISCOVERY_KINDS, type FrontierUrl } from '../../store/port/frontier.ts';
import type { JournalEvent } from '../../store/port/journal.ts';
import type { Run } from '../../store/port/runs.ts';

/** How a URL was found, for descriptions. */
export const FOUND_BY = DISCOVERY_KINDS.join(', ');

export interface UrlsQuery {
  readonly outcome: OutcomeName | null;
  readonly reason: string | null;
  readonly cursor: string | null;
  readonly limit: number;
}

type RunUrl = Pick<FrontierUrl, 'url' | 'state' | 'outcome' | 'reason' | 'depth' | 'attempts'> & {
  readonly foundBy: string;
  /** Where a page of the list continues after it. */
  readonly cursor: string;
};

export interface UrlsPage {
  readonly items: readonly RunUrl[];
  readonly nextCursor: string | null;
}

/** Reads a page of them. Where they are is found out once. */
export async function openRunUrls(store: Store, run: Run): Promise<(query: UrlsQuery) => Promise<UrlsPage>> {
  if (await isTakenOver(store, run)) return (query) => urlsOfEvents(store, run, query);
  return async ({ outcome, reason, cursor: after, limit }) => {
    const found = await store.frontier.urls(run.id, { outcome, reason, after, limit });
    return { items: found.urls.map((url) => ({ ...url, cursor: urlKey(url.url) })), nextCursor: found.after };
  };
}

/** Whether a later run has its rows. */
async function isTakenOver({ frontier }: Store, run: Run): Promise<boolean> {
  if (run.endedAt === null) return false;
  const left = await frontier.urls(run.id, { outcome: null, after: null, limit: 1 });
  return left.urls.length === 0;
}

/** Events that are read at once. */
const STEP = 500;
/** Events that one page looks at: a page with fewer URLs than asked for, or none, may have a cursor. */
const MAX_READ = 3000;
const CURSOR_DIGITS = 32;

async function urlsOfEvents(store: Store, run: Run, query: UrlsQuery): Promise<UrlsPage> {
  const { outcome, cursor, limit } = query;
  const kind = outcome === 'excluded' || outcome === 'dropped' ? 'drop' : outcome;
  const items: RunUrl[] = [];
  let before = cursor === null ? null : Number.parseInt(cursor, 16);
  for (let read = 0; read < MAX_READ; read += STEP) {
    const events = await store.journal.list({ run: run.id, kind, before, after: null, limit: STEP });
    for (const event of events) {
      before = event.seq;
      const url = urlOfEvent(event);
      if (url === null || !isWanted(url, query)) continue;
      if (items.push(url) === limit) return { items, nextCursor: cursorOf(before) };
    }
    if (events.length < STEP) return { items, nextCursor: null };
  }
  return { items, nextCursor: before === null ? null : cursorOf(before) };
}

function cursorOf(seq: number): string {
  return seq.toString(16).padStart(CURSOR_DIGITS, '0');
}

function isWanted(url: RunUrl, { outcome, reason }: UrlsQuery): boolean {
  return (outcome ?? url.outcome) === url.outcome && (reason ?? url.reason) === url.reason;
}

/** Null for an event that is not an outcome. */
function urlOfEvent({ seq, kind, url, detail }: JournalEvent): RunUrl | null {
  const reason = typeof detail['reason'] === 'string' ? detail['reason'] : null;
  const ended = kind === 'drop' ? detail['outcome'] : kind;
  const outcome = OUTCOME_NAMES.find((name) => name === ended);
  if (url === null || outcome === undefined) return null;
  const depth = typeof detail['depth'] === 'number' ? detail['depth'] : 0;
  const state = outcome === 'excluded' ? 'excluded' : 'settled';
  return { url, state, outcome, reason, depth, attempts: 0, foundBy: 'unknown', cursor: cursorOf(seq) };
}
