// What changed pages said before: the newest few texts, so that whoever looks at a page sees what changed. A page that is
// new or unchanged costs nothing here.

import { urlKey, type PageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { EarlierText } from '../port.ts';
import { hashBytes, hashOf } from './engine/codec.ts';
import { batch, type Engine, type Executor } from './engine/engine.ts';

const MOST_TEXTS = 5;
/** A longer text is remembered by its hash alone. */
const LONGEST_CHARS = 200_000;

const PAGE = { version_id: 'int', url_key: 'bytes' } as const;

const keep = batch(
  { ...PAGE, content_hash: 'bytes' },
  `insert into earlier_texts (version_id, url_key, until_at, since_at, content_hash, made_by, text)
   select p.version_id, p.url_key, now_ms(), p.changed_at, p.content_hash, p.made_by, case when length(d.text) <= ${LONGEST_CHARS} then d.text end
   from pages p join documents d on d.version_id = p.version_id and d.url_key = p.url_key, {rows} r
   where p.version_id = r.version_id and p.url_key = r.url_key and p.content_hash <> r.content_hash and p.alias_key is null
   on conflict do nothing`,
);

const forget = batch(
  PAGE,
  `delete from earlier_texts where (version_id, url_key, until_at) in (
     select e.version_id, e.url_key, e.until_at from earlier_texts e, {rows} r where e.version_id = r.version_id and e.url_key = r.url_key
       and ${MOST_TEXTS} <= (select count(*) from earlier_texts newer where newer.version_id = e.version_id and newer.url_key = e.url_key and newer.until_at > e.until_at))`,
);

const listed = `select until_at, since_at, content_hash, made_by, text from earlier_texts where version_id = $1 and url_key = $2 order by until_at desc`;

interface EarlierRow {
  readonly until_at: number;
  readonly since_at: number;
  readonly content_hash: Uint8Array;
  readonly made_by: string;
  readonly text: string | null;
}

/** Of a page that is known already. */
export interface KnownChange {
  readonly version: number;
  readonly key: Uint8Array;
  readonly newHash: Uint8Array;
}

/** Before the pages are replaced. */
export async function keepEarlierTexts(tx: Executor, changes: readonly KnownChange[]): Promise<void> {
  await tx.each(
    keep,
    changes.map(({ version, key, newHash }) => [version, key, newHash]),
  );
  await tx.each(
    forget,
    changes.map(({ version, key }) => [version, key]),
  );
}

export async function earlierTexts(engine: Engine, version: VersionId, url: PageUrl): Promise<readonly EarlierText[]> {
  const rows = await engine.reader.all<EarlierRow>(listed, [version, hashBytes(urlKey(url))]);
  return rows.map((row) => ({
    since: new Date(row.since_at),
    until: new Date(row.until_at),
    contentHash: hashOf(row.content_hash),
    madeBy: row.made_by,
    text: row.text,
  }));
}
