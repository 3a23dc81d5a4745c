// The tables of the gazetteer.

import {
  placeSlug,
  type ImportedPlace,
  type NamedPlace,
  type Place,
  type PlaceKind,
} from '../../../core/gazetteer/place.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import type { HubStatus } from '../../../core/analysis/hubs.ts';
import type {
  Gazetteer,
  GazetteerCounts,
  PlaceDetails,
  PlaceHub,
  PlaceQuery,
  RelatedPlace,
  SavedMention,
} from '../../port/gazetteer.ts';
import { jsonObject, keyBytes } from '../engine/codec.ts';
import { batch, singleStatement, type Engine, type Executor } from '../engine/engine.ts';

const insertPlace = batch(
  { place_key: 'text', taxonomy: 'text', kind: 'text', country_code: 'text', region_code: 'text', population: 'int' },
  `insert into places (place_key, taxonomy, kind, country_code, region_code, population)
   select r.place_key, r.taxonomy, r.kind, r.country_code, r.region_code, r.population from {rows} r where true on conflict (place_key) do nothing
   returning id`,
);
const updatePlace = batch(
  { place_key: 'text', population: 'int' },
  `update places set population = r.population from {rows} r where places.place_key = r.place_key and r.population is not null`,
);
const insertName = batch(
  {
    place_key: 'text',
    name: 'text',
    normalized: 'text',
    lang: 'text',
    name_kind: 'text',
    is_preferred: 'int',
    is_official: 'int',
    source: 'text',
  },
  `insert into place_names (place_id, name, normalized, lang, name_kind, is_preferred, is_official, source)
   select places.id, r.name, r.normalized, r.lang, r.name_kind, r.is_preferred, r.is_official, r.source from places, {rows} r
   where places.place_key = r.place_key on conflict (place_id, name) do nothing`,
);
const chooseCanonical = `update places set canonical_name_id = (select min(n.id) from place_names n where n.place_id = places.id and n.is_preferred = 1)
  where canonical_name_id is null`;

const relateTo = (parents: string, depth: string): string =>
  `insert into place_hierarchy (parent_id, child_id, relation, depth) select parent.id, child.id, 'contains', ${depth}
   from places child join places parent on ${parents} where child.taxonomy = 'place' and parent.taxonomy = 'place' on conflict do nothing`;
const HAS_REGION = `exists (select 1 from places region where region.kind = 'region' and region.region_code = child.region_code)`;
const relateRegions = relateTo(
  `child.kind = 'city' and parent.kind = 'region' and parent.region_code = child.region_code`,
  '1',
);
const relateCountries = relateTo(
  `child.kind in ('region', 'city') and parent.kind = 'country' and parent.country_code = child.country_code`,
  `case when child.kind = 'city' and ${HAS_REGION} then 2 else 1 end`,
);

const PLACE = `p.id, c.name, p.kind, p.country_code, p.population`;
const CANONICAL = `join place_names c on c.id = p.canonical_name_id`;
const LARGEST = `coalesce(p.population, 0) desc, c.name, p.id`;
/** $1 the kind, $2 the country, $3 and $4 the range of slugs; null for all. */
const LISTED = `from places p ${CANONICAL} where (cast($1 as text) is null or p.kind = $1) and (cast($2 as text) is null or p.country_code = $2)
  and (cast($3 as text) is null or exists (select 1 from place_names n where n.place_id = p.id and n.normalized >= $3 and n.normalized < $4))`;
const selectListed = `select ${PLACE} ${LISTED} order by ${LARGEST} limit $5 offset $6`;
const countListed = `select count(*) as n ${LISTED}`;
const countKinds = `select kind, count(*) as n from places group by kind`;
const countNames = `select count(*) as n from place_names`;
const countHubs = `select count(*) as n from place_hubs where taxonomy = 'place'`;
const selectPlace = `select ${PLACE} from places p ${CANONICAL} where p.id = $1`;
const selectNames = `select name, name_kind, lang, is_preferred, is_official, source from place_names where place_id = $1 order by is_preferred desc, name`;
const selectParents = `select ${PLACE}, h.relation, h.depth from place_hierarchy h join places p on p.id = h.parent_id ${CANONICAL}
  where h.child_id = $1 order by h.depth, p.id`;
const MAX_CHILDREN = 100;
const selectChildren = `select ${PLACE}, h.relation, h.depth from place_hierarchy h join places p on p.id = h.child_id ${CANONICAL}
  where h.parent_id = $1 order by h.depth, ${LARGEST} limit ${MAX_CHILDREN}`;
const selectNamed = singleStatement(
  batch(
    { slug: 'text' },
    `select n.normalized, ${PLACE} from place_names n join places p on p.id = n.place_id ${CANONICAL}
     where n.normalized in (select r.slug from {rows} r) order by p.id`,
  ),
);
const selectMatchable = `select n.normalized, ${PLACE} from places p ${CANONICAL} join place_names n on n.place_id = p.id
  where p.taxonomy = 'place' and n.name_kind <> 'code' and (p.kind <> 'city' or p.id in
    (select id from places where kind = 'city' order by coalesce(population, 0) desc, id limit $1)) order by p.id`;

const deleteMentions = `delete from page_places where version_id = $1 and url_key = $2`;
const insertMention = batch(
  {
    place_id: 'int',
    place_kind: 'text',
    method: 'text',
    source: 'text',
    offset_start: 'int',
    offset_end: 'int',
    context: 'text',
  },
  `insert into page_places (version_id, url_key, place_id, place_kind, method, source, offset_start, offset_end, context, first_seen_at)
   select p.version_id, p.url_key, r.place_id, r.place_kind, r.method, r.source, r.offset_start, r.offset_end, r.context, now_ms()
   from pages p, {rows} r where p.version_id = $1 and p.url_key = $2 on conflict do nothing`,
  ['int', 'bytes'],
);
const selectPages = `select p.version_id, s.name as source, p.url, p.title, count(*) as mentions, min(m.first_seen_at) as first_seen_at, p.checked_at
  from page_places m join pages p on p.version_id = m.version_id and p.url_key = m.url_key
    join versions v on v.id = p.version_id join sources s on s.id = v.source_id
  where m.place_id = $1 and s.removed_at is null and p.alias_key is null
  group by p.version_id, s.name, p.url, p.title, p.checked_at order by p.checked_at desc, p.version_id desc, p.url limit $2`;

/** $1 the host, $2 the place; null for all. */
const selectHubs = `select h.version_id, s.name as source, h.host, h.url, h.place_slug, h.place_kind, h.topic_slug, h.topic_label, h.topic_kind, h.title, h.status,
    h.nav_links_count, h.article_links_count, h.evidence, h.first_seen_at, h.last_seen_at
  from place_hubs h join versions v on v.id = h.version_id join sources s on s.id = v.source_id
  where h.taxonomy = 'place' and s.removed_at is null and (cast($1 as text) is null or h.host = $1) and (cast($2 as integer) is null or exists
    (select 1 from place_names n where n.place_id = $2 and (n.normalized = h.place_slug or replace(n.normalized, '-', '') = h.place_slug)))
  order by h.host, h.url, h.version_id limit $3`;

interface HubRow {
  readonly version_id: number;
  readonly source: string;
  readonly host: string;
  readonly url: string;
  readonly place_slug: string | null;
  readonly place_kind: string | null;
  readonly topic_slug: string | null;
  readonly topic_label: string | null;
  readonly topic_kind: PlaceHub['topicKind'];
  readonly title: string | null;
  readonly status: HubStatus;
  readonly nav_links_count: number | null;
  readonly article_links_count: number | null;
  readonly evidence: string;
  readonly first_seen_at: number;
  readonly last_seen_at: number;
}

interface PlaceRow {
  readonly id: number;
  readonly name: string;
  readonly kind: PlaceKind;
  readonly country_code: string | null;
  readonly population: number | null;
}

type NamedRow = PlaceRow & { readonly normalized: string };
type RelatedRow = PlaceRow & Pick<RelatedPlace, 'relation' | 'depth'>;

interface NameRow {
  readonly name: string;
  readonly name_kind: 'short' | 'alternate' | 'code';
  readonly lang: string | null;
  readonly is_preferred: number;
  readonly is_official: number;
  readonly source: string;
}

interface PageRow {
  readonly version_id: number;
  readonly source: string;
  readonly url: string;
  readonly title: string;
  readonly mentions: number;
  readonly first_seen_at: number;
}

export function createGazetteer(engine: Engine): Gazetteer {
  const { reader } = engine;
  return {
    save: (places) => engine.transaction((tx) => savePlaces(tx, places)),
    relate: () =>
      engine.transaction(async (tx) => {
        await tx.all(relateRegions);
        await tx.all(relateCountries);
      }),
    counts: () => readCounts(reader),
    list: (query) => listPlaces(reader, query),
    byId: (id) => readDetails(reader, id),
    named: async (slugs) => {
      const rows = await reader.each<NamedRow>(
        selectNamed,
        [...new Set(slugs)].map((slug) => [slug]),
      );
      return rows.map(toNamed).toSorted((a, b) => a.place.id - b.place.id);
    },
    matchable: async (cities) => (await reader.all<NamedRow>(selectMatchable, [cities])).map(toNamed),
    saveMentions: (version, url, mentions) => engine.transaction((tx) => replaceMentions(tx, version, url, mentions)),
    hubs: async ({ host, place, limit }) => (await reader.all<HubRow>(selectHubs, [host, place, limit])).map(toHub),
    pagesMentioning: async (place, limit) => {
      const rows = await reader.all<PageRow>(selectPages, [place, limit]);
      return rows.map(({ version_id: version, first_seen_at: firstSeenAt, url, ...page }) => ({
        ...page,
        version: version as VersionId,
        url: url as PageUrl,
        firstSeenAt: new Date(firstSeenAt),
      }));
    },
  };
}

export async function replaceMentions(
  tx: Executor,
  version: VersionId,
  url: PageUrl,
  mentions: readonly SavedMention[],
): Promise<void> {
  const page = [version, keyBytes(url)];
  await tx.all(deleteMentions, page);
  const rows = mentions.map(({ place, placeKind, method, source, start, end, context }) => {
    return [place, placeKind, method, source, start, end, context];
  });
  await tx.each(insertMention, rows, page);
}

async function savePlaces(tx: Executor, places: readonly ImportedPlace[]): Promise<number> {
  const unique = [...new Map(places.map((place) => [place.key, place])).values()];
  const rows = unique.map(({ key, taxonomy, kind, countryCode, regionCode, population }) => {
    return [key, taxonomy, kind, countryCode, regionCode, population];
  });
  const added = await tx.each<{ id: number }>(insertPlace, rows);
  const populations = unique.map(({ key, population }) => [key, population]);
  await tx.each(updatePlace, populations);
  await tx.each(insertName, unique.flatMap(nameRows));
  await tx.all(chooseCanonical);
  return added.length;
}

/** A name without letters or digits would match nothing. */
function nameRows({ key, names, source }: ImportedPlace): Array<ReadonlyArray<string | number | null>> {
  return names.flatMap(({ name, lang, kind, isPreferred, isOfficial }) => {
    const slug = placeSlug(name);
    return slug === '' ? [] : [[key, name, slug, lang, kind, Number(isPreferred), Number(isOfficial), source]];
  });
}

async function readCounts(reader: Executor): Promise<GazetteerCounts> {
  const kinds = await reader.all<{ kind: PlaceKind; n: number }>(countKinds);
  const [names] = await reader.all<{ n: number }>(countNames);
  const of = (kind: PlaceKind): number => kinds.find((one) => one.kind === kind)?.n ?? 0;
  const [countries, regions, cities] = [of('country'), of('region'), of('city')];
  const [hubs] = await reader.all<{ n: number }>(countHubs);
  return { countries, regions, cities, languages: of('language'), names: names?.n ?? 0, hubs: hubs?.n ?? 0 };
}

/** After every slug that begins with it. */
const AFTER_ALL = '\u{10ffff}';

async function listPlaces(
  reader: Executor,
  { slug, kind, countryCode, offset, limit }: PlaceQuery,
): Promise<{ total: number; places: readonly Place[] }> {
  const filters = [kind, countryCode, slug, slug === null ? null : slug + AFTER_ALL];
  const rows = await reader.all<PlaceRow>(selectListed, [...filters, limit, offset]);
  const [count] = await reader.all<{ n: number }>(countListed, filters);
  return { total: count?.n ?? 0, places: rows.map(toPlace) };
}

async function readDetails(reader: Executor, id: number): Promise<PlaceDetails | null> {
  const [place] = await reader.all<PlaceRow>(selectPlace, [id]);
  if (place === undefined) return null;
  const names = await reader.all<NameRow>(selectNames, [id]);
  const parents = await reader.all<RelatedRow>(selectParents, [id]);
  const children = await reader.all<RelatedRow>(selectChildren, [id]);
  return {
    place: toPlace(place),
    names: names.map(({ name_kind: kind, is_preferred, is_official, ...name }) => {
      return { ...name, kind, isPreferred: is_preferred === 1, isOfficial: is_official === 1 };
    }),
    parents: parents.map(toRelated),
    children: children.map(toRelated),
  };
}

function toPlace({ id, name, kind, country_code: countryCode, population }: PlaceRow): Place {
  return { id, name, kind, countryCode, population };
}

function toNamed({ normalized, ...row }: NamedRow): NamedPlace {
  return { slug: normalized, place: toPlace(row) };
}

function toRelated({ relation, depth, ...row }: RelatedRow): RelatedPlace {
  return { ...toPlace(row), relation, depth };
}

function toHub(row: HubRow): PlaceHub {
  return {
    version: row.version_id as VersionId,
    source: row.source,
    host: row.host,
    url: row.url as PageUrl,
    placeSlug: row.place_slug,
    placeKind: row.place_kind,
    topicSlug: row.topic_slug,
    topicLabel: row.topic_label,
    topicKind: row.topic_kind,
    title: row.title,
    status: row.status,
    navLinksCount: row.nav_links_count,
    articleLinksCount: row.article_links_count,
    evidence: jsonObject(row.evidence),
    firstSeenAt: new Date(row.first_seen_at),
    lastSeenAt: new Date(row.last_seen_at),
  };
}
