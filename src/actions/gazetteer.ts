// The gazetteer: its places, and the pages that mention them. A specification fixes the routes and the names of fields and parameters.

import { z } from 'zod';
import { createPlaceMatcher, placeScore, rankPlaces } from '../core/gazetteer/match-places.ts';
import { PLACE_KINDS, placeSlug, type Place } from '../core/gazetteer/place.ts';
import { HUB_STATUSES } from '../core/analysis/hubs.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { PlaceHub } from '../store/port/gazetteer.ts';
import type { Store } from '../store/port.ts';
import { action } from './action.ts';

const PlaceView = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(PLACE_KINDS),
  country_code: z.string().nullable(),
  population: z.int().nullable(),
});

const RelatedView = PlaceView.extend({ relation: z.string(), depth: z.int().describe('1 for the nearest') });

const MAX_ID_DIGITS = 9;
const PlaceId = z
  .string()
  .regex(new RegExp(String.raw`^[1-9]\d{0,${MAX_ID_DIGITS - 1}}$`), 'must be a positive integer')
  .describe('The id of the place');

const EMPTY = { countries: 0, regions: 0, cities: 0, languages: 0, names: 0, hubs: 0 };
const HubView = z.object({
  source: z.string(),
  host: z.string(),
  url: z.string(),
  place_slug: z.string().nullable(),
  place_kind: z.string().nullable(),
  topic_slug: z.string().nullable(),
  topic_label: z.string().nullable(),
  topic_kind: z.enum(['section', 'path-segment']).nullable(),
  title: z.string().nullable().describe('Null until the page is stored and analyzed'),
  status: z.enum(HUB_STATUSES),
  nav_links_count: z.int().nullable(),
  article_links_count: z.int().nullable(),
  evidence: z.record(z.string(), z.unknown()),
  first_seen_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
});

const MAX_HUBS = 500;
const MAX_PAGES = 200;
const MAX_CANDIDATES = 50;

export const showGazetteer = action({
  name: 'show_gazetteer',
  summary: 'Show how many places and names the gazetteer has',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    countries: z.int(),
    regions: z.int(),
    cities: z.int(),
    languages: z.int(),
    names: z.int(),
    hubs: z.int().describe('Pages that lead to everything about a place'),
  }),
  bindings: {
    cli: { command: 'gazetteer show', group: 'inspect', positional: [], example: 'pinakes gazetteer show' },
    http: { method: 'GET', path: '/gazetteer/summary' },
  },

  /** A specification requires zeros for a database that cannot be read. */
  run: (_, { store }) => store.gazetteer.counts().catch(() => EMPTY),
});

export const listPlaces = action({
  name: 'list_places',
  summary: 'List the places of the gazetteer, the largest first',
  effect: 'read',
  input: z.strictObject({
    q: z.string().max(200).optional().describe('Only places with a name that starts with this'),
    kind: z.enum(PLACE_KINDS).optional().describe('Only places of this kind'),
    cc: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be two letters')
      .optional()
      .describe('Only places of this country, by its code of two letters'),
    page: z.int().min(1).max(100_000).default(1).describe('Which page of the list'),
    pageSize: z.int().min(1).max(200).default(50).describe('Places of a page'),
  }),
  output: z.object({ total: z.int(), rows: z.array(PlaceView) }),
  bindings: {
    cli: { command: 'gazetteer list', group: 'inspect', positional: ['q'], example: 'pinakes gazetteer list fra' },
    http: { method: 'GET', path: '/gazetteer/places' },
  },

  async run({ q, kind, cc, page, pageSize }, { store }) {
    const slug = placeSlug(q ?? '');
    const { total, places } = await store.gazetteer.list({
      slug: slug === '' ? null : slug,
      kind: kind ?? null,
      countryCode: cc?.toUpperCase() ?? null,
      offset: (page - 1) * pageSize,
      limit: pageSize,
    });
    return { total, rows: places.map(placeView) };
  },
});

export const showPlace = action({
  name: 'show_place',
  summary: 'Show a place with its names, what contains it and what it contains',
  effect: 'read',
  input: z.strictObject({ id: PlaceId }),
  output: z.object({
    place: PlaceView,
    names: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['short', 'alternate', 'code']),
        lang: z.string().nullable(),
        is_preferred: z.boolean(),
        is_official: z.boolean(),
        source: z.string(),
      }),
    ),
    parents: z.array(RelatedView).describe('The nearest first'),
    children: z.array(RelatedView).describe('The nearest first, then the largest'),
    hubs: z.array(HubView).describe('Pages that lead to everything about it'),
    size_bytes: z.int().describe('Its approximate size in the database'),
    size_method: z.literal('length of its rows'),
  }),
  bindings: {
    cli: { command: 'gazetteer place', group: 'inspect', positional: ['id'], example: 'pinakes gazetteer place 75' },
    http: { method: 'GET', path: '/gazetteer/place/{id}' },
  },

  async run({ id }, { store }) {
    const details = await store.gazetteer.byId(Number(id));
    if (details === null) throw pinakesError('place.unknown', { id });
    const names = details.names.map(({ isPreferred, isOfficial, ...name }) => {
      return { ...name, is_preferred: isPreferred, is_official: isOfficial };
    });
    const related = (places: typeof details.parents) =>
      places.map(({ relation, depth, ...place }) => ({ ...placeView(place), relation, depth }));
    return {
      place: placeView(details.place),
      names,
      parents: related(details.parents),
      children: related(details.children),
      hubs: (await store.gazetteer.hubs({ host: null, place: Number(id), limit: MAX_HUBS })).map(hubView),
      size_bytes: Buffer.byteLength(JSON.stringify([details.place, names])),
      size_method: 'length of its rows' as const,
    };
  },
});

export const listPlacePages = action({
  name: 'list_place_pages',
  summary: 'List the pages that mention a place, newest first',
  effect: 'read',
  input: z.strictObject({
    id: PlaceId,
    limit: z.int().min(1).max(MAX_PAGES).default(50).describe('Maximum number of pages'),
  }),
  output: z.object({
    pages: z.array(
      z.object({
        source: z.string(),
        url: z.string(),
        title: z.string(),
        mentions: z.int(),
        firstSeenAt: z.iso.datetime(),
      }),
    ),
  }),
  bindings: {
    cli: { command: 'gazetteer pages', group: 'inspect', positional: ['id'], example: 'pinakes gazetteer pages 75' },
    http: { method: 'GET', path: '/gazetteer/articles' },
  },

  async run({ id, limit }, { store }) {
    const pages = await store.gazetteer.pagesMentioning(Number(id), limit);
    return {
      pages: pages.map(({ version: _, firstSeenAt, ...page }) => ({ ...page, firstSeenAt: firstSeenAt.toISOString() })),
    };
  },
});

export const listPlaceHubs = action({
  name: 'list_place_hubs',
  summary: 'List the pages that lead to everything about a place, by host',
  effect: 'read',
  input: z.strictObject({
    host: z.string().min(1).max(255).toLowerCase().optional().describe('Only those of this host'),
    limit: z.int().min(1).max(MAX_HUBS).default(MAX_PAGES).describe('Maximum number of hubs'),
  }),
  output: z.object({ hubs: z.array(HubView) }),
  bindings: {
    cli: { command: 'gazetteer hubs', group: 'inspect', positional: ['host'], example: 'pinakes gazetteer hubs' },
    http: { method: 'GET', path: '/gazetteer/hubs' },
  },

  async run({ host = null, limit }, { store }) {
    return { hubs: (await store.gazetteer.hubs({ host, place: null, limit })).map(hubView) };
  },
});

export const resolvePlace = action({
  name: 'resolve_place',
  summary: 'Find the places that a name or a URL may mean, best first',
  effect: 'read',
  input: z.strictObject({
    q: z.string().max(200).optional().describe('A name, in any spelling'),
    url: z
      .url()
      .max(2000)
      .optional()
      .describe('The URL where the name was found; without a name, the URL to search for names'),
  }),
  output: z.object({
    candidates: z.array(PlaceView.extend({ score: z.number().describe('Comparable only among these candidates') })),
  }),
  bindings: {
    cli: {
      command: 'gazetteer resolve',
      group: 'inspect',
      positional: ['q'],
      example: 'pinakes gazetteer resolve paris',
    },
    http: { method: 'GET', path: '/gazetteer/resolve' },
  },

  async run({ q, url }, { store }) {
    if (q === undefined && url === undefined) throw pinakesError('input.invalid', { reason: 'Give a name or a URL' });
    const context = url === undefined ? {} : { url };
    const places = q === undefined ? await placesInUrl(url ?? '', store) : await placesNamed(q, store);
    const ranked = rankPlaces(places, context).slice(0, MAX_CANDIDATES);
    return {
      candidates: ranked.map((place) => ({
        ...placeView(place),
        score: Math.round(placeScore(place, context) * 1000) / 1000,
      })),
    };
  },
});

async function placesNamed(name: string, { gazetteer }: Store): Promise<readonly Place[]> {
  return distinct((await gazetteer.named([placeSlug(name)])).map(({ place }) => place));
}

/** Every run of words in the path of a URL, which may be a name. */
async function placesInUrl(url: string, { gazetteer }: Store): Promise<readonly Place[]> {
  const segments = (URL.parse(url)?.pathname ?? '').split('/').slice(0, MAX_SEGMENTS);
  const slugs = segments.flatMap((segment) => runsOf(placeSlug(segment)));
  const named = await gazetteer.named(slugs.filter((slug) => slug !== ''));
  return distinct(
    createPlaceMatcher(named)
      .inUrl(url)
      .map(({ place }) => place),
  );
}

const MAX_SEGMENTS = 50;
const MAX_RUN_WORDS = 4;

function runsOf(slug: string): readonly string[] {
  const words = slug.split('-');
  const runs = words.flatMap((_, from) =>
    Array.from({ length: MAX_RUN_WORDS }, (__, more) => words.slice(from, from + more + 1).join('-')),
  );
  return [slug, ...runs];
}

function distinct(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [place.id, place])).values()];
}

function placeView({ countryCode, ...place }: Place): z.output<typeof PlaceView> {
  return { ...place, country_code: countryCode };
}

function hubView(hub: PlaceHub): z.output<typeof HubView> {
  return {
    source: hub.source,
    host: hub.host,
    url: hub.url,
    place_slug: hub.placeSlug,
    place_kind: hub.placeKind,
    topic_slug: hub.topicSlug,
    topic_label: hub.topicLabel,
    topic_kind: hub.topicKind,
    title: hub.title,
    status: hub.status,
    nav_links_count: hub.navLinksCount,
    article_links_count: hub.articleLinksCount,
    evidence: { ...hub.evidence },
    first_seen_at: hub.firstSeenAt.toISOString(),
    last_seen_at: hub.lastSeenAt.toISOString(),
  };
}
