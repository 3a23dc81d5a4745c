// Invariants that hold after every fault, on both engines: one query each that returns the offending rows. A constraint of the
// schema is better than an invariant; where there is one, the invariant tests the constraint.

import { OUTCOME_CODES, OUTCOME_NAMES } from '../../../core/model/outcome.ts';
import { counterColumn } from '../runs/run-row.ts';
import { CHANGE_KIND, EMBEDDING_STATE, STORED_OUTCOMES_SQL, UNEMBEDDED_STATES_SQL, URL_STATE } from './states.ts';
import { SEARCH_INVARIANT_SQL } from '../search/index-queue.ts';

export interface Invariant {
  readonly id: string;
  readonly what: string;
  /** Returns `row`, a short text for each violation. $1 is the maximum of attempts, for queries that use it. */
  readonly sql: string;
  /** Null if none is known. */
  readonly remedy?: 'reindex';
}

const { new: isNew, changed, unchanged, missing, failed, dropped } = OUTCOME_CODES;
const KEEPS_PAGE = `(${[isNew, changed, unchanged, missing, failed, dropped].join(', ')})`;
const LIVE = `('queued', 'running', 'paused', 'stopping')`;
const LATEST_RUN = `(select max(latest.id) from runs latest where latest.version_id = runs.version_id)`;

/** A source that is being removed is invisible and its rows are deleted in batches, so invariants across tables cannot hold for it. */
const stays = (rows: string): string =>
  `${rows}.version_id not in (select going.id from versions going join sources on sources.id = going.source_id where sources.removed_at is not null)`;
const COUNTED_RUN = `runs.id = ${LATEST_RUN} and ${stays('runs')}`;

const countersDiffer = OUTCOME_NAMES.map(
  (name) =>
    `select runs.id, '${name}' as counter, runs.${counterColumn(name)} as counted, (select count(*) from frontier f where f.version_id = runs.version_id and f.run_id = runs.id and f.state >= ${URL_STATE.settled} and f.outcome = ${OUTCOME_CODES[name]}) as really from runs where ${COUNTED_RUN}`,
);

export const INVARIANTS: readonly Invariant[] = [
  {
    id: 'I01',
    what: 'every chunk has its page',
    sql: `select 'chunk ' || hash_hex(c.chunk_id) as row from chunks c where not exists (select 1 from pages p where p.version_id = c.version_id and p.url_key = c.url_key)`,
  },
  {
    id: 'I02',
    what: "every chunk belongs to its page's current content and to its source",
    sql: `select 'page ' || p.url as row from pages p where p.chunk_digest <> text_hash(coalesce((select string_agg(hash_hex(c.chunk_id), '\n' order by c.ordinal) from chunks c where c.version_id = p.version_id and c.url_key = p.url_key), '')) and ${stays('p')}`,
  },
  {
    id: 'I03',
    what: 'chunk ordinals of a page are 0..n-1 without duplicates',
    sql: `select 'page ' || hash_hex(url_key) as row from chunks group by version_id, url_key having min(ordinal) <> 0 or max(ordinal) <> count(*) - 1 or count(distinct ordinal) <> count(*)`,
  },
  {
    id: 'I04',
    what: "a page's stored chunk count equals the real count",
    sql: `select 'page ' || p.url as row from pages p where p.n_chunks <> (select count(*) from chunks c where c.version_id = p.version_id and c.url_key = p.url_key) and ${stays('p')}`,
  },
  {
    id: 'I05',
    what: 'one page per source version and canonical URL',
    sql: `select 'url ' || url as row from pages group by version_id, url having count(*) > 1`,
  },
  {
    id: 'I06',
    what: 'no URL is still claimed past its lease plus 60 s while its run has a coordinator',
    sql: `select 'url ' || f.url as row from frontier f join runs on runs.id = f.run_id where f.state = ${URL_STATE.claimed} and f.due_at < now_ms() - 60000 and runs.lease_until > now_ms()`,
  },
  {
    id: 'I07',
    what: 'claim fields are set exactly when a URL is claimed',
    sql: `select 'url ' || url as row from frontier where (state = ${URL_STATE.claimed}) <> (worker is not null) or (state in (${URL_STATE.claimed}, ${URL_STATE.waiting})) <> (due_at is not null)`,
  },
  {
    id: 'I08',
    what: "a run's counters equal its rows, by outcome",
    sql: `select 'run ' || id || ' ' || counter || ' is ' || counted || ', rows ' || really as row from (${countersDiffer.join(' union all ')} union all
      select runs.id, 'found', runs.n_found, (select count(*) from frontier f where f.version_id = runs.version_id and f.run_id = runs.id and f.state < ${URL_STATE.excluded}) from runs where ${COUNTED_RUN}) counters where counted <> really`,
  },
  {
    id: 'I09',
    what: 'a finished run leaves nothing queued or claimed',
    sql: `select 'run ' || runs.id || ' url ' || f.url as row from frontier f join runs on runs.id = f.run_id where f.state in (${URL_STATE.queued}, ${URL_STATE.claimed}, ${URL_STATE.waiting}) and runs.ended_at is not null and ${stays('f')}`,
  },
  {
    id: 'I10',
    what: 'every URL last settled as indexed or unchanged has its page',
    sql: `select 'url ' || f.url as row from frontier f where f.state = ${URL_STATE.settled} and f.outcome in ${STORED_OUTCOMES_SQL} and not exists (select 1 from pages p where p.version_id = f.version_id and p.url_key = f.url_key) and ${stays('f')}`,
  },
  {
    id: 'I11',
    what: 'every page belongs to a frontier URL whose last outcome keeps it alive',
    sql: `select 'page ' || p.url as row from pages p left join frontier f on f.version_id = p.version_id and f.url_key = p.url_key where f.url_key is null or (f.state >= ${URL_STATE.settled} and f.outcome not in ${KEEPS_PAGE} and not (f.outcome = ${OUTCOME_CODES.moved} and p.alias_key is not null))`,
  },
  {
    id: 'I12',
    what: 'no page was written under a fence other than the accepted one',
    sql: `select 'page ' || p.url || ' fence ' || p.fence as row from pages p join frontier f on f.version_id = p.version_id and f.url_key = p.url_key
      where p.fence > f.settled_fence or (f.state = ${URL_STATE.settled} and f.outcome in (${OUTCOME_CODES.new}, ${OUTCOME_CODES.changed}) and p.fence <> f.settled_fence) or (f.state = ${URL_STATE.settled} and f.settled_fence <> f.fence)`,
  },
  {
    id: 'I13',
    what: 'no vector without a chunk that uses its text',
    sql: `select 'text ' || hash_hex(v.content_hash) as row from vectors v where not exists (select 1 from chunks c where c.content_hash = v.content_hash)`,
  },
  {
    id: 'I14',
    what: 'texts marked embedded in a space have exactly one vector there',
    sql: `select 'text ' || hash_hex(e.content_hash) as row from embeddings e where (e.state = ${EMBEDDING_STATE.embedded}) <> exists (select 1 from vectors v where v.space_id = e.space_id and v.content_hash = e.content_hash)`,
  },
  {
    id: 'I15',
    what: 'one dimension per space',
    sql: `select 'text ' || hash_hex(v.content_hash) as row from vectors v join spaces s on s.id = v.space_id where length(v.vector) not in (0, 4 * s.dimensions)`,
  },
  {
    id: 'I17',
    what: "a chunk's stored hash matches its text",
    sql: `select 'chunk ' || hash_hex(chunk_id) as row from chunks where content_hash <> text_hash(text)`,
  },
  {
    id: 'I18',
    what: "a page's stored content hash matches its stored text",
    sql: `select 'page ' || p.url as row from pages p left join documents d on d.version_id = p.version_id and d.url_key = p.url_key where d.url_key is null or p.content_hash <> text_hash(d.text)`,
  },
  {
    id: 'I19',
    what: 'nothing is left of a deleted source',
    sql: `select 'frontier of version ' || version_id as row from frontier f where not exists (select 1 from versions v where v.id = f.version_id)
      union all select 'page of version ' || version_id from pages p where not exists (select 1 from versions v where v.id = p.version_id)
      union all select 'chunk of version ' || version_id from chunks c where not exists (select 1 from versions v where v.id = c.version_id)
      union all select 'counts of version ' || version_id from version_counts c where not exists (select 1 from versions v where v.id = c.version_id)
      union all select 'link count of version ' || version_id from link_counts l where not exists (select 1 from versions v where v.id = l.version_id)
      union all select 'link mark of version ' || version_id from link_marks m where not exists (select 1 from versions v where v.id = m.version_id)
      union all select 'mark of version ' || version_id from duplicate_marks m where not exists (select 1 from versions v where v.id = m.version_id)
      union all select 'terms of version ' || version_id from term_samples t where version_id > 0 and not exists (select 1 from versions v where v.id = t.version_id)
      union all select 'event ' || seq from events e where not exists (select 1 from sources s where s.id = e.source_id)
      union all select 'problem ' || id from problems b where not exists (select 1 from sources s where s.id = b.source_id)
      union all select 'milestone ' || kind from milestones m where not exists (select 1 from sources s where s.id = m.source_id)
      union all select 'host queue of run ' || run_id from host_queues l where not exists (select 1 from runs r where r.id = l.run_id)`,
  },
  {
    id: 'I20',
    what: 'every alias leads to a live page or to a recorded exclusion, never in a cycle',
    sql: `with recursive trail (version_id, origin, at, steps) as (
        select version_id, url_key, target_key, 1 from frontier where state = ${URL_STATE.settled} and outcome = ${OUTCOME_CODES.moved}
        union all
        select t.version_id, t.origin, f.target_key, t.steps + 1 from trail t join frontier f on f.version_id = t.version_id and f.url_key = t.at where f.state = ${URL_STATE.settled} and f.outcome = ${OUTCOME_CODES.moved} and t.steps < 12
      )
      select 'alias ' || f.url as row from frontier f where f.state = ${URL_STATE.settled} and f.outcome = ${OUTCOME_CODES.moved} and ${stays('f')} and (
        f.target_key is null
        or exists (select 1 from trail t where t.version_id = f.version_id and t.origin = f.url_key and t.steps >= 12)
        or not exists (select 1 from trail t join frontier e on e.version_id = t.version_id and e.url_key = t.at where t.version_id = f.version_id and t.origin = f.url_key and (e.state <> ${URL_STATE.settled} or e.outcome <> ${OUTCOME_CODES.moved})))
      union all select 'alias ' || p.url from pages p where p.alias_key is not null and ${stays('p')} and (p.n_chunks <> 0
        or not exists (select 1 from pages s where s.version_id = p.version_id and s.url_key = p.alias_key)
        or exists (select 1 from pages s where s.version_id = p.version_id and s.url_key = p.alias_key and s.alias_key = p.url_key))`,
  },
  {
    id: 'I21',
    what: 'at most one running run per source',
    sql: `select 'source ' || source_id as row from runs where state in ${LIVE} group by source_id having count(*) > 1`,
  },
  {
    id: 'I22',
    what: 'event numbers are unique and allocated by the head',
    sql: `select 'event ' || seq as row from events where seq > (select last from event_head) or seq < 1
      union all select 'event ' || seq from events group by seq having count(*) > 1`,
  },
  {
    id: 'I23',
    what: 'failed, skipped and excluded URLs have a reason',
    sql: `select 'url ' || url as row from frontier where state >= ${URL_STATE.settled} and outcome in (${OUTCOME_CODES.skipped}, ${OUTCOME_CODES.failed}, ${OUTCOME_CODES.excluded}) and coalesce(reason, '') = ''`,
  },
  {
    id: 'I24',
    what: 'no URL exceeds the maximum of attempts',
    sql: `select 'url ' || url || ' attempts ' || attempts as row from frontier where attempts > $1`,
  },
  {
    id: 'I25',
    what: 'no timestamp in the future',
    sql: `select 'url ' || url as row from frontier where enqueued_at > now_ms() + 1000 or settled_at > now_ms() + 1000
      union all select 'page ' || url from pages where changed_at > now_ms() + 1000 or checked_at > now_ms() + 1000
      union all select 'event ' || seq from events where at > now_ms() + 1000
      union all select 'change ' || position from changes where at > now_ms() + 1000
      union all select 'run ' || id from runs where created_at > now_ms() + 1000 or started_at > now_ms() + 1000 or ended_at > now_ms() + 1000`,
  },
  {
    id: 'I26',
    what: 'no URL twice in one run',
    sql: `select 'url ' || url as row from frontier group by version_id, run_id, url having count(*) > 1`,
  },
  {
    id: 'I27',
    what: 'no claimed URL without a running run',
    sql: `select 'url ' || f.url as row from frontier f where f.state = ${URL_STATE.claimed} and not exists (select 1 from runs where runs.id = f.run_id and runs.state in ${LIVE}) and ${stays('f')}`,
  },
  {
    id: 'I29',
    what: 'every chunk text is queued or embedded in every space',
    sql: `select 'text ' || hash_hex(c.content_hash) || ' in space ' || s.id as row from chunks c cross join spaces s
      where (s.queued_pk is null or c.pk <= s.queued_pk) and not exists (select 1 from embeddings e where e.space_id = s.id and e.content_hash = c.content_hash)`,
  },
  {
    id: 'I30',
    what: "a space's counters equal its rows",
    sql: `select 'space ' || s.id as row from spaces s where
      coalesce((select sum(c.pending) from space_counts c where c.space_id = s.id), 0) <> (select count(*) from embeddings e where e.space_id = s.id and e.state in ${UNEMBEDDED_STATES_SQL})
      or coalesce((select sum(c.embedded) from space_counts c where c.space_id = s.id), 0) <> (select count(*) from embeddings e where e.space_id = s.id and e.state = ${EMBEDDING_STATE.embedded})
      or coalesce((select sum(c.failed) from space_counts c where c.space_id = s.id), 0) <> (select count(*) from embeddings e where e.space_id = s.id and e.state = ${EMBEDDING_STATE.failed})`,
  },
  {
    id: 'I16',
    what: 'each page with chunks has one row in the search index, and each such row a page and a segment',
    sql: SEARCH_INVARIANT_SQL,
    remedy: 'reindex',
  },
  {
    id: 'I28',
    what: 'the counts of a version equal its pages, duplicates and chunks',
    sql: `select 'version ' || coalesce(c.version_id, p.version_id) as row from version_counts c full join (
        select version_id, count(*) filter (where alias_key is null) as pages, count(alias_key) as duplicates, sum(n_chunks) as chunks from pages group by version_id
      ) p on p.version_id = c.version_id
      where coalesce(c.pages, 0) <> coalesce(p.pages, 0) or coalesce(c.duplicates, 0) <> coalesce(p.duplicates, 0) or coalesce(c.chunks, 0) <> coalesce(p.chunks, 0)`,
  },
  {
    id: 'I31',
    what: 'the newest change of a page tells its chunks, and the head has assigned its position',
    sql: `select 'page ' || p.url as row from pages p where p.n_chunks > 0 and ${stays('p')}
        and not coalesce((select c.chunk_digest = p.chunk_digest from changes c where c.version_id = p.version_id and c.url_key = p.url_key order by c.position desc limit 1), false)
      union all select 'change ' || c.position from changes c where c.kind <> ${CHANGE_KIND.removed} and ${stays('c')}
        and not exists (select 1 from changes newer where newer.version_id = c.version_id and newer.url_key = c.url_key and newer.position > c.position)
        and not exists (select 1 from pages p where p.version_id = c.version_id and p.url_key = c.url_key and p.n_chunks > 0)
      union all select 'change ' || position from changes where position > (select last_change from event_head)`,
  },
  {
    id: 'I32',
    what: 'every queued URL of a run that has not ended is in a queue where a claim finds it',
    sql: `select 'queue of run ' || queue.run_id || ' at ' || hosts.host as row from (
        select distinct f.run_id, f.host_id from frontier f join runs on runs.id = f.run_id
        where runs.state in ${LIVE} and f.state = ${URL_STATE.queued} and ${stays('f')}
      ) queue join hosts on hosts.id = queue.host_id
      where not hosts.has_queues or not exists (select 1 from host_queues l where l.run_id = queue.run_id and l.host_id = queue.host_id)`,
  },
];
