// Where the texts of pages lead, and which pages lead to one. Links are kept as the beginnings of keys, in one row a page:
// writing them is cheap, and reading them is a look through all rows of a version: bench/store/page-revisions.ts tells how long.

import { urlKey, type PageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { LinkingPage, PageContent } from '../port.ts';
import { hashBytes } from './engine/codec.ts';
import { batch, type Engine, type Executor } from './engine/engine.ts';
import type { PageChunks } from './pages/replace-chunks.ts';

/** Of 16: two URLs of one version that begin alike are not to be expected below a billion. */
const KEY_BYTES = 8;
const MOST_NAMES = 10;

const upsert = batch(
  { version_id: 'int', url_key: 'bytes', targets: 'bytes' },
  `insert into page_links (version_id, url_key, targets) select r.version_id, r.url_key, r.targets from {rows} r where true
   on conflict (version_id, url_key) do update set targets = excluded.targets`,
);

/** A link to an alias leads to the page that stands for it. */
const names = `select substr(url_key, 1, ${KEY_BYTES}) as part from pages where version_id = $1 and (url_key = $2 or alias_key = $2)
  union select substr(url_key, 1, ${KEY_BYTES}) from frontier where version_id = $1 and target_key = $2 and state = 3 and outcome = 6
  limit ${MOST_NAMES}`;

const linking = `select p.url, p.title from page_links l join pages p on p.version_id = l.version_id and p.url_key = l.url_key
  where l.version_id = $1 and l.url_key <> $2 and instr(l.targets, $3) > 0 and p.alias_key is null order by p.url limit $4`;

export async function writePageLinks(
  tx: Executor,
  written: ReadonlyArray<{ readonly page: PageContent; readonly chunks: PageChunks }>,
): Promise<void> {
  await tx.each(
    upsert,
    written.map(({ page, chunks }) => [chunks.version, chunks.key, targetsOf(page)]),
  );
}

function targetsOf({ leadsTo }: PageContent): Uint8Array {
  return Buffer.concat(leadsTo.map((key) => Buffer.from(key.slice(0, KEY_BYTES * 2), 'hex')));
}

export async function linkingPages(
  engine: Engine,
  version: VersionId,
  url: PageUrl,
  limit: number,
): Promise<readonly LinkingPage[]> {
  const key = hashBytes(urlKey(url));
  const found = new Map<PageUrl, LinkingPage>();
  // One look for each name: all in one statement made SQLite read the names again for every row.
  for (const { part } of await engine.reader.all<{ part: Uint8Array }>(names, [version, key])) {
    const pages = await engine.reader.all<LinkingPage>(linking, [version, key, part, limit]);
    for (const page of pages) found.set(page.url, page);
  }
  return [...found.values()].sort((a, b) => (a.url < b.url ? -1 : 1)).slice(0, limit);
}
