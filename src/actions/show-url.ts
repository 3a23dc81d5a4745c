// Everything known about a URL, stored or not: its state in each source that found it, its page, and its newest requests.

import { z } from 'zod';
import { OUTCOME_NAMES } from '../core/model/outcome.ts';
import { parsePageUrl, type PageUrl } from '../core/model/page-url.ts';
import { normalizeUrl } from '../core/url/normalize.ts';
import type { Store } from '../store/port.ts';
import type { LocatedUrl, RecordedFetch } from '../store/port/frontier.ts';
import type { Source, Version } from '../store/port/sources.ts';
import { action } from './action.ts';
import { resolveSource } from './support/resolve.ts';
import { FOUND_BY } from './support/run-urls.ts';

const Fetch = z.object({
  run: z.int(),
  at: z.iso.datetime(),
  status: z.int().nullable().describe('Null if there was no answer'),
  bytes: z.int().describe('Received, before decoding'),
  mediaType: z.string().nullable(),
  firstByteMs: z.int().nullable(),
  totalMs: z.int().nullable(),
  error: z.string().nullable().describe('The code of the error; null if the answer was usable'),
  isNotModified: z.boolean().describe('Whether the server said that the stored page is current (304)'),
});

export type FetchView = z.output<typeof Fetch>;

const UrlInSource = z.object({
  source: z.string(),
  version: z.string(),
  run: z.int().describe('The latest run that has it'),
  state: z.enum(['queued', 'claimed', 'waiting', 'settled', 'excluded']),
  outcome: z.enum(OUTCOME_NAMES).nullable(),
  reason: z.string().nullable(),
  foundBy: z.string().describe(FOUND_BY),
  parent: z.string().nullable().describe('The page that links to it'),
  depth: z.int(),
  attempts: z.int(),
  enqueuedAt: z.iso.datetime(),
  settledAt: z.iso.datetime().nullable(),
  rawUrls: z
    .array(z.string())
    .describe('How links write it, where parameters were stripped or reordered; the first few'),
  page: z
    .object({
      title: z.string(),
      mediaType: z.string(),
      chunks: z.int(),
      changedAt: z.iso.datetime(),
      checkedAt: z.iso.datetime(),
      aliases: z.array(z.string()).describe('Other URLs of the same page'),
    })
    .nullable()
    .describe('Null if no page is stored for it'),
  fetches: z.array(Fetch).describe('The newest requests in all runs, newest first; some eight are kept'),
});

export type UrlDetail = z.output<typeof UrlInSource>;

const MAX_ALIASES = 100;

export const showUrl = action({
  name: 'show_url',
  summary: 'Show what is known about a URL, stored or not',
  effect: 'read',
  input: z.strictObject({
    url: z.string().min(1).max(4000).describe('The URL'),
    source: z.string().min(1).optional().describe('Only in this source; all by default'),
  }),
  output: z.object({
    url: z.string(),
    occurrences: z.array(UrlInSource).describe('Once for each version of a source that found it; empty if none did'),
  }),
  bindings: {
    cli: { command: 'url', group: 'runs', positional: ['url'], example: 'pinakes url https://docs.example.dev/guide' },
    http: [
      { method: 'GET', path: '/urls' },
      // A specification fixes this route.
      { method: 'GET', path: '/url-details', operation: 'url_details' },
    ],
  },

  async run({ url: text, source: name }, { store }) {
    const written = parsePageUrl(text) ?? (text as PageUrl);
    const sources = name === undefined ? await store.sources.list() : [await resolveSource(store, name)];
    const occurrences = await occurrencesOf(written, sources, store);
    if (occurrences.length > 0) return { url: written, occurrences };
    // A link is often spelled differently from the URL that is crawled.
    const normalized = normalizeUrl(text);
    if (!normalized.ok || normalized.url === written) return { url: written, occurrences };
    return { url: normalized.url, occurrences: await occurrencesOf(normalized.url, sources, store) };
  },
});

async function occurrencesOf(url: PageUrl, sources: readonly Source[], store: Store): Promise<UrlDetail[]> {
  const versions = new Set(await store.frontier.versionsOf(url));
  const occurrences: UrlDetail[] = [];
  for (const source of sources)
    for (const version of source.versions.filter(({ id }) => versions.has(id))) {
      const located = await store.frontier.locate(version.id, url);
      if (located !== null) occurrences.push(await detailOf(store, { source, version }, located));
    }
  return occurrences;
}

async function detailOf(
  store: Store,
  { source, version }: { readonly source: Source; readonly version: Version },
  located: LocatedUrl,
): Promise<UrlDetail> {
  const { url, run, state, outcome, reason, foundBy, parent, depth, attempts, enqueuedAt, settledAt } = located;
  return {
    source: source.name,
    version: version.label,
    run,
    state,
    outcome,
    reason,
    foundBy,
    parent,
    depth,
    attempts,
    enqueuedAt: enqueuedAt.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
    rawUrls: [...located.rawUrls],
    page: await pageOf(store, version, url),
    fetches: located.fetches.map(fetchView),
  };
}

async function pageOf({ pages }: Store, version: Version, url: PageUrl): Promise<UrlDetail['page']> {
  const page = await pages.get(version.id, url);
  if (page === null) return null;
  const { title, mediaType, chunks, changedAt, checkedAt } = page;
  const aliases = (await pages.aliasesOf(version.id, url)).slice(0, MAX_ALIASES);
  return {
    title,
    mediaType,
    chunks,
    changedAt: changedAt.toISOString(),
    checkedAt: checkedAt.toISOString(),
    aliases,
  };
}

function fetchView({ at, ...fetch }: RecordedFetch): FetchView {
  return { ...fetch, at: at.toISOString(), isNotModified: fetch.status === 304 };
}
