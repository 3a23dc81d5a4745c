// Reads the URLs, menus and hubs of a version, and its last measured coverage.

import type { HubStatus } from '../../../core/analysis/hubs.ts';
import type { Evidence, KnownUrl } from '../../../core/analysis/known-url.ts';
import type { Taxonomy } from '../../../core/analysis/site-shape.ts';
import type { NavigationEntry } from '../../../core/discover/navigation.ts';
import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { Analysis, RecordedHub } from '../../port/analysis.ts';
import { DISCOVERY_KINDS, type DiscoveryKind } from '../../port/frontier.ts';
import { hashBytes, hex, jsonObject, jsonText, keyBytes } from '../engine/codec.ts';
import { batch, type Engine, type Value } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';
import { LINK_KEY_BYTES } from '../pages/write-pages.ts';

const selectKnown = `select f.url_key, f.url, f.found_by, f.state, f.outcome, f.reason, f.target_key, p.url_key as page_key, p.alias_key, p.title, p.metadata, p.inlinks, now_ms() - p.changed_at as changed_ago,
    l.nav_links, length(l.targets) as target_bytes, a.analysis
  from frontier f left join pages p on p.version_id = f.version_id and p.url_key = f.url_key
    left join page_links l on l.version_id = p.version_id and l.url_key = p.url_key
    left join page_analysis a on a.version_id = p.version_id and a.url_key = p.url_key
  where f.version_id = $1 and f.url_key > $2 order by f.url_key limit $3`;

/** Pages near the start first, so that the menus of the start page are always included. */
const selectNavigation = `select n.entries from (
    select f.depth, f.url_key from page_navigation m join frontier f on f.version_id = m.version_id and f.url_key = m.url_key
    where m.version_id = $1 order by f.depth, f.url_key limit $2) near
  join page_navigation n on n.version_id = $1 and n.url_key = near.url_key order by near.depth, near.url_key`;

/** A null value keeps the stored one: a plan knows less than an analysis. */
const upsertHub = batch(
  {
    url_key: 'bytes',
    host: 'text',
    url: 'text',
    member_kind: 'text',
    topic_slug: 'text',
    topic_label: 'text',
    topic_kind: 'text',
    evidence: 'text',
    member_slug: 'text',
    title: 'text',
    nav_links_count: 'int',
    article_links_count: 'int',
    taxonomy: 'text',
    status: 'text',
    http_status: 'int',
    expected_by: 'text',
  },
  `insert into place_hubs (version_id, url_key, host, url, place_kind, topic_slug, topic_label, topic_kind, evidence, place_slug, title, first_seen_at, last_seen_at,
     nav_links_count, article_links_count, taxonomy, status, validated_at, http_status, expected_by)
   select v.id, r.url_key, r.host, r.url, r.member_kind, r.topic_slug, r.topic_label, r.topic_kind, r.evidence, r.member_slug, r.title, now_ms(), now_ms(),
     r.nav_links_count, r.article_links_count, r.taxonomy, r.status, case when r.status = 'validated' then now_ms() end, r.http_status, r.expected_by
   from versions v, {rows} r where v.id = $1
   on conflict (version_id, url_key) do update set last_seen_at = excluded.last_seen_at, expected_by = excluded.expected_by,
     place_kind = coalesce(excluded.place_kind, place_hubs.place_kind), topic_slug = coalesce(excluded.topic_slug, place_hubs.topic_slug),
     topic_label = coalesce(excluded.topic_label, place_hubs.topic_label), topic_kind = coalesce(excluded.topic_kind, place_hubs.topic_kind),
     place_slug = coalesce(excluded.place_slug, place_hubs.place_slug), title = coalesce(excluded.title, place_hubs.title),
     nav_links_count = coalesce(excluded.nav_links_count, place_hubs.nav_links_count),
     article_links_count = coalesce(excluded.article_links_count, place_hubs.article_links_count),
     evidence = case when excluded.place_slug is null and excluded.topic_slug is null and place_hubs.title is not null then place_hubs.evidence else excluded.evidence end,
     taxonomy = excluded.taxonomy,
     status = case when excluded.status = 'expected' then place_hubs.status else excluded.status end,
     validated_at = coalesce(place_hubs.validated_at, excluded.validated_at),
     http_status = coalesce(excluded.http_status, place_hubs.http_status)`,
  ['int'],
);
const countHubs = `select count(*) as n from place_hubs where version_id = $1`;
const selectHubs = `select host, url, place_kind as member_kind, topic_slug, topic_label, topic_kind, evidence, place_slug as member_slug, title, nav_links_count, article_links_count, taxonomy,
    status, http_status, expected_by from place_hubs where version_id = $1 order by url_key limit $2`;

const upsertCoverage = `insert into coverage_reports (version_id, report, measured_at) select id, $2, now_ms() - cast($3 as bigint) from versions where id = $1
  on conflict (version_id) do update set report = excluded.report, measured_at = excluded.measured_at`;
const selectCoverage = `select c.report, c.measured_at,
    coalesce((select n.changed_at from version_counts n where n.version_id = c.version_id), 0) as changed_at,
    coalesce((select max(r.ended_at) from runs r where r.version_id = c.version_id), 0) as ended_at
  from coverage_reports c where c.version_id = $1`;

interface KnownRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly found_by: number;
  readonly state: number;
  readonly outcome: number | null;
  readonly reason: string | null;
  readonly target_key: Uint8Array | null;
  readonly page_key: Uint8Array | null;
  readonly alias_key: Uint8Array | null;
  readonly title: string | null;
  readonly metadata: string | null;
  readonly inlinks: number | null;
  readonly changed_ago: number | null;
  readonly nav_links: number | null;
  readonly target_bytes: number | null;
  readonly analysis: string | null;
}

interface HubRow {
  readonly host: string;
  readonly url: string;
  readonly member_kind: string | null;
  readonly topic_slug: string | null;
  readonly topic_label: string | null;
  readonly topic_kind: RecordedHub['topicKind'];
  readonly evidence: string;
  readonly member_slug: string | null;
  readonly title: string | null;
  readonly nav_links_count: number | null;
  readonly article_links_count: number | null;
  readonly taxonomy: Taxonomy;
  readonly status: HubStatus;
  readonly http_status: number | null;
  readonly expected_by: string;
}

type SiteCoverage = Pick<Analysis, 'knownUrls' | 'navigation' | 'saveHubs' | 'hubs' | 'saveCoverage' | 'coverage'>;

export function createSiteCoverage(engine: Engine): SiteCoverage {
  const { reader } = engine;
  return {
    async knownUrls(version, after, limit) {
      const rows = await reader.all<KnownRow>(selectKnown, [version, hashBytes(after ?? ''), limit]);
      const last = rows.at(-1);
      return {
        urls: rows.map(toKnown),
        after: last === undefined || rows.length < limit ? null : hex(last.url_key),
      };
    },
    async navigation(version, limit) {
      const rows = await reader.all<{ entries: string }>(selectNavigation, [version, limit]);
      return rows.map(({ entries }) => JSON.parse(entries) as NavigationEntry[]);
    },
    saveHubs: (version, hubs) =>
      engine.transaction(async (tx) => {
        const count = async (): Promise<number> => (await tx.all<{ n: number }>(countHubs, [version]))[0]?.n ?? 0;
        const before = await count();
        await tx.each(upsertHub, hubs.map(hubRow), [version]);
        return { added: (await count()) - before };
      }),
    hubs: async (version, limit) => (await reader.all<HubRow>(selectHubs, [version, limit])).map(toHub),
    saveCoverage: (version, report, ageMs) =>
      engine.transaction(async (tx) => {
        await tx.all(upsertCoverage, [version, jsonText(report), Math.ceil(ageMs)]);
      }),
    async coverage(version) {
      const [row] = await reader.all<{ report: string; measured_at: number; changed_at: number; ended_at: number }>(
        selectCoverage,
        [version],
      );
      if (row === undefined) return null;
      const isCurrent = Math.max(row.changed_at, row.ended_at) <= row.measured_at;
      return { report: jsonObject(row.report), measuredAt: new Date(row.measured_at), isCurrent };
    },
  };
}

/** The lists of a site that discovery reads. */
export const LISTS: Readonly<Partial<Record<DiscoveryKind, KnownUrl['listedBy']>>> = {
  'llms-txt': 'llms-txt',
  'llms-full': 'llms-txt',
  sitemap: 'sitemap',
};

function toKnown(row: KnownRow): KnownUrl {
  const target = row.alias_key ?? row.target_key;
  return {
    key: hex(row.url_key) as UrlKey,
    url: row.url as PageUrl,
    listedBy: LISTS[DISCOVERY_KINDS[row.found_by] ?? 'link'] ?? null,
    state: stateOf(row),
    target: target === null ? null : (hex(target) as UrlKey),
    navLinks: row.nav_links ?? 0,
    inlinks: row.inlinks ?? 0,
    contentLinks: Math.floor((row.target_bytes ?? 0) / LINK_KEY_BYTES),
    changedAgoMs: row.changed_ago,
    title: row.title,
    status: statusIn(row.reason),
    ...classificationOf(row),
  };
}

function classificationOf({ metadata, analysis }: KnownRow): Pick<KnownUrl, 'pageKind' | 'confidence' | 'words'> {
  const { pageKind, confidence } = metadata === null ? {} : jsonObject(metadata);
  const meta = analysis === null ? undefined : (jsonObject(analysis)['meta'] as { wordCount?: number } | undefined);
  return {
    pageKind: typeof pageKind === 'string' ? pageKind : null,
    confidence: typeof confidence === 'number' ? confidence : null,
    words: meta?.wordCount ?? null,
  };
}

/** A stored page counts as stored, even if its current run has not settled it yet. */
function stateOf({ page_key, alias_key, state, outcome }: KnownRow): KnownUrl['state'] {
  if (page_key !== null) return alias_key === null ? 'stored' : 'moved';
  if (state === URL_STATE.excluded || outcome === OUTCOME_CODES.excluded) return 'left-out';
  if (state !== URL_STATE.settled) return 'queued';
  return outcome === OUTCOME_CODES.moved ? 'moved' : 'gone';
}

function statusIn(reason: string | null): number | null {
  const status = /^(?:[\w.-]+: )?status (\d{3})\b/.exec(reason ?? '')?.[1];
  return status === undefined ? null : Number(status);
}

function hubRow(hub: RecordedHub): Value[] {
  return [
    keyBytes(hub.url),
    hub.host,
    hub.url,
    hub.memberKind,
    hub.topicSlug,
    hub.topicLabel,
    hub.topicKind,
    jsonText(hub.evidence),
    hub.memberSlug,
    hub.title,
    hub.navLinksCount,
    hub.articleLinksCount,
    hub.taxonomy,
    hub.status,
    hub.httpStatus,
    jsonText(hub.expectedBy),
  ];
}

function toHub(row: HubRow): RecordedHub {
  return {
    host: row.host,
    url: row.url as PageUrl,
    memberKind: row.member_kind,
    topicSlug: row.topic_slug,
    topicLabel: row.topic_label,
    topicKind: row.topic_kind,
    evidence: jsonObject(row.evidence),
    memberSlug: row.member_slug,
    title: row.title,
    navLinksCount: row.nav_links_count,
    articleLinksCount: row.article_links_count,
    taxonomy: row.taxonomy,
    status: row.status,
    httpStatus: row.http_status,
    expectedBy: JSON.parse(row.expected_by) as Evidence[],
  };
}
