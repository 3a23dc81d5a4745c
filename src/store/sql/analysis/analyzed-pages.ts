// Which pages are pending, and what is stored about those that are analysed and about their hosts.

import type { OutlineEntry } from '../../../core/model/document.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import type { Analysis, AnalysisLease, AnalysisOptions, AnalyzedPage, HostAnalysis } from '../../port/analysis.ts';
import { hashBytes, hashOf, hex, jsonObject, jsonText, keyBytes } from '../engine/codec.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { replaceMentions } from '../gazetteer/gazetteer.ts';

/** $1 is the analysis version, $2 the source or null. An alias has no text. */
const PENDING = `from pages p join versions v on v.id = p.version_id join sources s on s.id = v.source_id
    left join page_analysis a on a.version_id = p.version_id and a.url_key = p.url_key
  where s.removed_at is null and (cast($2 as integer) is null or s.id = $2) and p.alias_key is null
    and (a.url_key is null or a.analysis_version < $1 or a.content_hash <> p.content_hash)`;
const countPending = `select count(*) as n ${PENDING}`;
const PAGE = `select p.version_id, p.url, p.title, p.media_type, p.metadata, p.content_hash, p.checked_at,
    (select f.depth from frontier f where f.version_id = p.version_id and f.url_key = p.url_key) as depth,
    (select l.nav_links from page_links l where l.version_id = p.version_id and l.url_key = p.url_key) as nav_links ${PENDING}`;
const ORDER = `order by p.checked_at desc, p.version_id desc, p.url_key desc limit $3`;
const selectFirst = `${PAGE} ${ORDER}`;
const selectAfter = `${PAGE} and (p.checked_at, p.version_id, p.url_key) < ($4, $5, $6) ${ORDER}`;
const selectText = `select text, outline from documents where version_id = $1 and url_key = $2`;

const selectAnalyses = `select a.url_key, p.url, f.depth, a.analysis from page_analysis a join pages p on p.version_id = a.version_id and p.url_key = a.url_key
    join frontier f on f.version_id = a.version_id and f.url_key = a.url_key
  where a.version_id = $1 and a.url_key > $2 and p.alias_key is null order by a.url_key limit $3`;
const selectAnalysis = `select analysis from page_analysis where version_id = $1 and url_key = $2`;
const selectHosts = `select host, analysis from domain_analysis where version_id = $1 order by host`;
const selectHighest = `select coalesce(max(analysis_version), 0) as n from page_analysis`;
const selectDownloads = `select h.host, sum(h.pages) as n from run_hosts h join runs r on r.id = h.run_id where r.version_id = $1 group by h.host`;

/** A higher version that another run wrote is not replaced by a lower one. */
const upsertAnalysis = batch(
  { version_id: 'int', url_key: 'bytes', content_hash: 'bytes', analysis: 'text' },
  `insert into page_analysis (version_id, url_key, analysis_version, content_hash, analysis, analyzed_at)
   select p.version_id, p.url_key, $1, p.content_hash, r.analysis, now_ms() from pages p, {rows} r
   where p.version_id = r.version_id and p.url_key = r.url_key and p.content_hash = r.content_hash
   on conflict (version_id, url_key) do update set analysis_version = excluded.analysis_version, content_hash = excluded.content_hash,
     analysis = excluded.analysis, analyzed_at = excluded.analyzed_at
   where page_analysis.analysis_version < excluded.analysis_version or page_analysis.content_hash <> excluded.content_hash`,
  ['int'],
);

const upsertHost = batch(
  { host: 'text', analysis: 'text' },
  `insert into domain_analysis (version_id, host, analysis, analyzed_at) select v.id, r.host, r.analysis, now_ms() from versions v, {rows} r where v.id = $1
   on conflict (version_id, host) do update set analysis = excluded.analysis, analyzed_at = excluded.analyzed_at`,
  ['int'],
);

interface PendingRow {
  readonly version_id: number;
  readonly url: string;
  readonly title: string;
  readonly media_type: string;
  readonly metadata: string;
  readonly content_hash: Uint8Array;
  readonly checked_at: number;
  readonly depth: number | null;
  readonly nav_links: number | null;
}

type AnalyzedPages = Pick<
  Analysis,
  'pending' | 'countPending' | 'textOf' | 'analyses' | 'analysisOf' | 'hostsOf' | 'highestVersion' | 'downloads'
>;

export function createAnalyzedPages(reader: Executor): AnalyzedPages {
  return { ...createPendingPages(reader), ...createResults(reader) };
}

function createPendingPages(reader: Executor): Pick<AnalyzedPages, 'pending' | 'countPending' | 'textOf'> {
  return {
    async pending(options, after, limit) {
      const values = [...pendingValues(options), limit];
      const rows =
        after === null
          ? await reader.all<PendingRow>(selectFirst, values)
          : await reader.all<PendingRow>(selectAfter, [
              ...values,
              after.checkedAt.getTime(),
              after.version,
              keyBytes(after.url),
            ]);
      return rows.map((row) => ({
        version: row.version_id as VersionId,
        url: row.url as PageUrl,
        title: row.title,
        mediaType: row.media_type,
        metadata: jsonObject(row.metadata),
        contentHash: hashOf(row.content_hash),
        checkedAt: new Date(row.checked_at),
        depth: row.depth ?? 0,
        navLinks: row.nav_links ?? 0,
      }));
    },
    async countPending(options) {
      const [row] = await reader.all<{ n: number }>(countPending, pendingValues(options));
      return row?.n ?? 0;
    },
    async textOf({ version, url }) {
      const [row] = await reader.all<{ text: string; outline: string }>(selectText, [version, keyBytes(url)]);
      return row === undefined ? null : { text: row.text, outline: JSON.parse(row.outline) as OutlineEntry[] };
    },
  };
}

function createResults(reader: Executor): Omit<AnalyzedPages, 'pending' | 'countPending' | 'textOf'> {
  return {
    async analyses(version, after, limit) {
      const rows = await reader.all<{ url_key: Uint8Array; url: string; depth: number; analysis: string }>(
        selectAnalyses,
        [version, hashBytes(after ?? ''), limit],
      );
      const last = rows.at(-1);
      return {
        pages: rows.map(({ url, depth, analysis }) => ({ url: url as PageUrl, depth, analysis: jsonObject(analysis) })),
        after: last === undefined || rows.length < limit ? null : hex(last.url_key),
      };
    },
    async analysisOf(version, url) {
      const [row] = await reader.all<{ analysis: string }>(selectAnalysis, [version, keyBytes(url)]);
      return row === undefined ? null : jsonObject(row.analysis);
    },
    async hostsOf(version) {
      const rows = await reader.all<{ host: string; analysis: string }>(selectHosts, [version]);
      return rows.map(({ host, analysis }) => ({ host, analysis: jsonObject(analysis) }));
    },
    async highestVersion() {
      const [row] = await reader.all<{ n: number }>(selectHighest);
      return row?.n ?? 0;
    },
    async downloads(version) {
      const rows = await reader.all<{ host: string; n: number | string }>(selectDownloads, [version]);
      return new Map(rows.map(({ host, n }) => [host, Number(n)]));
    },
  };
}

function pendingValues({ analysisVersion, source }: AnalysisOptions): [number, number | null] {
  return [analysisVersion, source];
}

export async function upsertAnalyses(
  tx: Executor,
  { run }: AnalysisLease,
  pages: readonly AnalyzedPage[],
): Promise<void> {
  const rows = pages.map(({ page, analysis }) => [
    page.version,
    keyBytes(page.url),
    hashBytes(page.contentHash),
    jsonText(analysis),
  ]);
  await tx.each(upsertAnalysis, rows, [run.analysisVersion]);
  for (const { page, mentions } of pages)
    if (mentions !== null) await replaceMentions(tx, page.version, page.url, mentions);
}

export async function upsertHosts(tx: Executor, version: VersionId, hosts: readonly HostAnalysis[]): Promise<void> {
  const rows = hosts.map(({ host, analysis }) => [host, jsonText(analysis)]);
  await tx.each(upsertHost, rows, [version]);
}
