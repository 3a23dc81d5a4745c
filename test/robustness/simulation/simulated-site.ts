// A site as a state machine: pages with links that are edited, removed and added between runs, and a ledger of every request.

import type { FetchOutcome, FetchRequest, Fetcher } from '../../../src/fetch/port.ts';
import type { Conditions, Faults } from './faults.ts';
import { currentProcess, delayInProcess } from './simulated-process.ts';
import { trace } from './trace.ts';
import { chance, integer, pick, virtualMs } from './virtual-time.ts';

interface SitePage {
  readonly links: string[];
  revision: number;
  isGone: boolean;
  /** Requests that still fail. */
  failures: number;
  readonly isSlow: boolean;
  readonly hasEtag: boolean;
}

export interface SiteRequest {
  readonly path: string;
  readonly atMs: number;
  readonly process: string;
}

export interface SimulatedSite {
  readonly origin: string;
  readonly fetcher: Fetcher;
  readonly requests: SiteRequest[];
  /** Paths that must be stored after a run, with their revisions; `stored` are those that were stored before it. */
  expected(stored: Iterable<string>, maxDepth: number | null): ReadonlyMap<string, number>;
  /** Changes the site as its authors would. */
  edit(): void;
}

export const START_PATH = '/p0';
/** Linked from everywhere, and disallowed in robots.txt. */
export const PRIVATE_PATH = '/private/';

const ROBOTS = `User-agent: *\nDisallow: ${PRIVATE_PATH}\n`;

/** Every page is reachable from the start. */
function createPages(count: number, faults: Faults): Map<string, SitePage> {
  const paths = Array.from({ length: count }, (_, i) => `/p${i}`);
  const pages = new Map(
    paths.map((path): [string, SitePage] => [path, createPage(faults, path === START_PATH ? [] : someLinks(paths))]),
  );
  for (let i = 1; i < count; i += 1) pages.get(`/p${integer(Math.max(0, i - 6), i - 1)}`)!.links.push(`/p${i}`);
  pages.get(START_PATH)!.links.push(`${PRIVATE_PATH}a`);
  return pages;
}

function someLinks(paths: readonly string[]): string[] {
  return Array.from({ length: integer(0, 3) }, () => (chance(0.1) ? `${PRIVATE_PATH}${integer(0, 9)}` : pick(paths)));
}

function createPage(faults: Faults, links: string[]): SitePage {
  return {
    links,
    revision: 0,
    isGone: false,
    failures: chance(faults.flakyPages) ? integer(1, 3) : 0,
    isSlow: faults.slowPages && chance(0.15),
    hasEtag: chance(0.5),
  };
}

/** The word in the text of a page that no other page has, and that changes with each edit. */
export function wordOf(path: string, revision: number): string {
  return `mark${path.replace('/p', 'n')}r${revision}e`;
}

function htmlOf(path: string, { links, revision }: SitePage): string {
  const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
  return `<!doctype html><title>Page ${path}</title><main><h1>Page ${path}</h1>
<p>This is the text of page ${path}, with enough words to be content. It is about ${wordOf(path, revision)} and how to use it, which
takes a few more words of explanation, so that it cannot be taken for an empty shell.</p>
<h2>Details of ${path}</h2><p>Each page has a second section, because a page of one chunk is a special case. ${anchors}</p></main>`;
}

export function createSite(host: string, count: number, conditions: Conditions): SimulatedSite {
  const { faults } = conditions;
  const origin = `http://${host}`;
  const pages = createPages(count, faults);
  const requests: SiteRequest[] = [];
  let nextPage = count;

  async function respond(path: string, request: FetchRequest, signal?: AbortSignal): Promise<FetchOutcome> {
    await delayInProcess(integer(3, 60));
    signal?.throwIfAborted();
    if (path === '/robots.txt') return fetched(ROBOTS, 'text/plain', null);
    const page = pages.get(path);
    if (page === undefined || page.isGone) return { kind: 'not-found', status: 404, firstByteMs: 1 };
    if (page.isSlow && !conditions.isCalm && chance(0.5)) await delayInProcess(integer(500, 6000));
    signal?.throwIfAborted();
    if (!conditions.isCalm && faults.throttling && chance(0.05))
      return { kind: 'throttled', status: 429, retryAfterMs: integer(0, 2000) };
    if (page.failures > 0 && !conditions.isCalm) {
      page.failures -= 1;
      return { kind: 'failed', code: 'fetch.status', reason: 'simulated', status: 503, retryable: true };
    }
    const etag = page.hasEtag ? `"${path}-${page.revision}"` : null;
    if (etag !== null && request.etag === etag) return { kind: 'unchanged', etag, lastModified: null, firstByteMs: 1 };
    return fetched(htmlOf(path, page), 'text/html', etag);
  }

  return {
    origin,
    requests,
    fetcher: {
      async fetch(request, signal) {
        const path = new URL(request.url).pathname;
        requests.push({ path, atMs: virtualMs(), process: currentProcess()?.name ?? '-' });
        const outcome = await respond(path, request, signal);
        trace(`fetched ${path}: ${outcome.kind}`);
        return outcome;
      },
      close: async () => undefined,
    },

    expected: (stored, maxDepth) => expectedPages(pages, stored, maxDepth),

    edit() {
      const start = pages.get(START_PATH)!;
      for (const [path, page] of pages) {
        if (path === START_PATH || page.isGone) continue;
        // A page that leads to others is kept: whether those are still found would depend on what is stored.
        if (page.links.length === 0 && chance(0.3)) page.isGone = true;
        else if (chance(0.4)) page.revision += 1;
        if (chance(faults.flakyPages / 2)) page.failures = integer(1, 2);
      }
      for (let added = integer(0, 4); added > 0; added -= 1) {
        const path = `/p${nextPage++}`;
        pages.set(path, createPage(faults, []));
        start.links.push(path);
      }
      start.revision += 1;
    },
  };
}

/** Stored pages are fetched again, and in a run without a maximum depth their links are followed. */
function expectedPages(
  pages: ReadonlyMap<string, SitePage>,
  stored: Iterable<string>,
  maxDepth: number | null,
): ReadonlyMap<string, number> {
  const exists = (path: string): boolean => pages.get(path)?.isGone === false;
  const known = [...stored].filter(exists);
  const found = new Set(maxDepth === null ? known : []);
  let level = [START_PATH, ...found];
  for (let depth = 0; level.length > 0 && depth <= (maxDepth ?? Infinity); depth += 1) {
    for (const path of level) found.add(path);
    const links = level.flatMap((path) => pages.get(path)!.links);
    level = [...new Set(links)].filter((path) => exists(path) && !found.has(path));
  }
  return new Map([...found, ...known].map((path) => [path, pages.get(path)!.revision]));
}

function fetched(text: string, mediaType: string, etag: string | null): FetchOutcome {
  const body = new TextEncoder().encode(text);
  return {
    kind: 'fetched',
    headers: {},
    status: 200,
    mediaType,
    body,
    truncated: false,
    etag,
    lastModified: null,
    wireBytes: body.byteLength,
    firstByteMs: 1,
    totalMs: 2,
  };
}
