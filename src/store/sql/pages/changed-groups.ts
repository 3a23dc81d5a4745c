// Reads the groups of duplicates that have changed since the end of a run last settled them. A group is what equal texts and
// declared canonical URLs connect, so it is read from its changed pages outwards, together with the groups that these were in before.
// What it costs follows the changes and the groups they touch, not the version.

import { MAX_TEXTS_PER_CANONICAL } from '../../../core/dedupe/choose-canonical.ts';
import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { ChangedDuplicates, StoredCandidate } from '../../port/pages.ts';
import type { RunLease } from '../../port/runs.ts';
import { hashBytes, hashOf, hex } from '../engine/codec.ts';
import { batch, perRow, singleStatement, type Engine, type Executor } from '../engine/engine.ts';
import { underLease } from '../runs/run-row.ts';
import { deleteMarks, selectMarkedKeys } from './change-marks.ts';

const KEY = { url_key: 'bytes' } as const;

const selectMarks = selectMarkedKeys('duplicate_marks');
const deleteDuplicateMarks = deleteMarks('duplicate_marks');

const selectTargets = batch(
  KEY,
  `select f.url_key, f.outcome, f.target_key, p.url as page_url from frontier f
     left join pages p on p.version_id = f.version_id and p.url_key = f.url_key, {rows} r
   where f.version_id = $1 and f.url_key = r.url_key`,
  ['int'],
);

const PAGE_COLUMNS = `url_key, url, dedupe_hash, canonical, canonical_key, alias_key`;
const pagesBy = (column: 'url_key' | 'alias_key' | 'dedupe_hash') =>
  batch(
    { value: 'bytes' },
    `select ${PAGE_COLUMNS} from pages, {rows} r where version_id = $1 and ${column} = r.value`,
    ['int'],
  );
const selectByKey = pagesBy('url_key');
const selectByAlias = pagesBy('alias_key');
const selectByHash = pagesBy('dedupe_hash');

/** A stored page is itself, whatever its URL once redirected to. */
const selectLeading = singleStatement(
  batch(
    KEY,
    `select f.url_key, f.target_key from {rows} r {then frontier f where f.version_id = $1 and f.target_key = r.url_key}
     where f.outcome = ${OUTCOME_CODES.moved} and not exists (select 1 from pages p where p.version_id = $1 and p.url_key = f.url_key)`,
    ['int'],
  ),
);

const selectDeclaring = perRow(
  batch(
    { canonical_key: 'bytes', after: 'bytes' },
    `select ${PAGE_COLUMNS} from pages, {rows} r where version_id = $1 and canonical_key = r.canonical_key and url_key > r.after order by url_key limit $2`,
    ['int', 'int'],
  ),
);
/** More than enough to recognise a canonical URL that too many texts declare. */
const DECLARING_PAGES = 2 * MAX_TEXTS_PER_CANONICAL;
const MORE_DECLARING_PAGES = 5000;

/** Longer redirect chains are not followed. */
const MAX_STEPS = 12;

interface CandidateRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly dedupe_hash: Uint8Array | null;
  readonly canonical: string | null;
  readonly canonical_key: Uint8Array | null;
  readonly alias_key: Uint8Array | null;
}

interface TargetRow {
  readonly url_key: Uint8Array;
  readonly outcome: number | null;
  readonly target_key: Uint8Array | null;
  readonly page_url: string | null;
}

interface ResolvedPage {
  readonly url: PageUrl;
  readonly key: Uint8Array;
}

/** The stored page of each key, possibly through redirects; keys are in hexadecimal digits. */
export async function resolveKeys(
  reader: Executor,
  version: number,
  keys: readonly Uint8Array[],
): Promise<ReadonlyMap<string, ResolvedPage>> {
  const resolved = new Map<string, ResolvedPage>();
  let pending = new Map(keys.map((key) => [hex(key), key]));
  for (let step = 0; step < MAX_STEPS && pending.size > 0; step += 1) {
    const distinct = new Map([...pending.values()].map((key) => [hex(key), [key]]));
    const rows = await reader.each<TargetRow>(selectTargets, [...distinct.values()], [version]);
    const targets = new Map(rows.map((row) => [hex(row.url_key), row]));
    const next = new Map<string, Uint8Array>();
    for (const [origin, key] of pending) {
      const target = targets.get(hex(key));
      if (target?.page_url != null) resolved.set(origin, { url: target.page_url as PageUrl, key });
      else if (target?.outcome === OUTCOME_CODES.moved && target.target_key !== null)
        next.set(origin, target.target_key);
    }
    pending = next;
  }
  return resolved;
}

export async function settleGroups(engine: Engine, lease: RunLease, keys: readonly UrlKey[]): Promise<void> {
  const rows = keys.map((key) => [hashBytes(key)]);
  await underLease(
    engine,
    lease,
    undefined,
    async (tx) => void (await tx.each(deleteDuplicateMarks, rows, [lease.run.version])),
  );
}

export async function readChangedGroups(
  reader: Executor,
  version: number,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ChangedDuplicates | null> {
  const values = [version, hashBytes(after ?? ''), limit];
  const marks = (await reader.all<{ url_key: Uint8Array }>(selectMarks, values)).map((row) => row.url_key);
  const last = marks.at(-1);
  if (last === undefined) return null;
  // A mark of a URL that redirects, or did, is for the page at the end.
  const marked = await resolveKeys(reader, version, marks);
  const { pages, canonicalUrls, mistaken } = await readGroups(
    reader,
    version,
    [...marked.values()].map(({ key }) => key),
  );
  const keys = new Set([...marks.map(hex), ...pages.keys()]);
  return {
    pages: Array.from(pages.values(), toCandidate),
    canonicalUrls,
    mistaken,
    keys: [...keys] as UrlKey[],
    after: marks.length < limit ? null : hex(last),
  };
}

interface Groups {
  readonly pages: ReadonlyMap<string, CandidateRow>;
  readonly canonicalUrls: ReadonlyMap<PageUrl, PageUrl>;
  readonly mistaken: ReadonlySet<PageUrl>;
}

async function readGroups(reader: Executor, version: number, from: readonly Uint8Array[]): Promise<Groups> {
  const pages = new Map<string, CandidateRow>();
  const canonicalUrls = new Map<PageUrl, PageUrl>();
  const mistaken = new Set<PageUrl>();
  const [canonicalKeys, aliased, hashes] = [createOnce(), createOnce(), createOnce()];
  const read = (statement: typeof selectByKey, values: readonly Uint8Array[]): Promise<CandidateRow[]> =>
    reader.each<CandidateRow>(
      statement,
      values.map((value) => [value]),
      [version],
    );

  let found = await read(selectByKey, from);
  while (found.length > 0) {
    const added: CandidateRow[] = [];
    for (const row of found) {
      if (pages.has(hex(row.url_key))) continue;
      pages.set(hex(row.url_key), row);
      added.push(row);
    }
    const targets = await resolveKeys(reader, version, canonicalKeys(added.map((row) => row.canonical_key)));
    for (const { url, canonical, canonical_key } of added) {
      const target = canonical_key === null ? url : targets.get(hex(canonical_key))?.url;
      if (canonical !== null && target !== undefined) canonicalUrls.set(canonical as PageUrl, target as PageUrl);
    }
    const declaring = await readDeclaring(reader, version, added);
    for (const url of declaring.mistaken) mistaken.add(url);
    const groupKeys = aliased(added.flatMap(({ url_key, alias_key }) => [url_key, alias_key]));
    const others = [...Array.from(targets.values(), ({ key }) => key), ...groupKeys];
    found = [
      ...(await read(
        selectByKey,
        others.filter((key) => !pages.has(hex(key))),
      )),
      ...(await read(selectByAlias, groupKeys)),
      ...(await read(selectByHash, hashes(added.map((row) => row.dedupe_hash)))),
      ...declaring.pages,
    ];
  }
  return { pages, canonicalUrls, mistaken };
}

/** Returns the values that it was not called with before. */
function createOnce(): (values: ReadonlyArray<Uint8Array | null>) => readonly Uint8Array[] {
  const seen = new Set<string>();
  return (values) =>
    values.filter((value) => {
      if (value === null || seen.has(hex(value))) return false;
      seen.add(hex(value));
      return true;
    }) as Uint8Array[];
}

interface Declared {
  readonly target: CandidateRow;
  readonly rows: CandidateRow[];
  readonly texts: Set<string | null>;
}

function addDeclaring({ target, rows, texts }: Declared, row: CandidateRow): void {
  rows.push(row);
  if (row.url !== target.url) texts.add(row.dedupe_hash === null ? null : hex(row.dedupe_hash));
}

function isMistaken({ texts }: Declared): boolean {
  return texts.size > MAX_TEXTS_PER_CANONICAL;
}

/** The pages that declare one of `targets` as canonical, without those of a target that is mistaken. */
async function readDeclaring(
  reader: Executor,
  version: number,
  targets: readonly CandidateRow[],
): Promise<{ readonly pages: readonly CandidateRow[]; readonly mistaken: readonly PageUrl[] }> {
  const leading = await readLeading(reader, version, targets);
  let pending = Array.from(leading, ([digits, declared]) => ({
    declared,
    key: hashBytes(digits),
    after: hashBytes(''),
  }));
  for (let limit = DECLARING_PAGES; pending.length > 0; limit = MORE_DECLARING_PAGES) {
    const values = pending.map(({ key, after }) => [key, after]);
    const rows = await reader.each<CandidateRow>(selectDeclaring, values, [version, limit]);
    const byKey = Map.groupBy(rows, ({ canonical_key }) => hex(canonical_key ?? hashBytes('')));
    const next: typeof pending = [];
    for (const { declared, key } of pending) {
      const some = byKey.get(hex(key)) ?? [];
      for (const row of some) addDeclaring(declared, row);
      const last = some.reduce((max, { url_key }) => (Buffer.compare(url_key, max) > 0 ? url_key : max), hashBytes(''));
      if (some.length === limit && !isMistaken(declared)) next.push({ declared, key, after: last });
    }
    pending = next;
  }
  const all = [...new Set(leading.values())];
  return {
    pages: all.filter((declared) => !isMistaken(declared)).flatMap(({ rows }) => rows),
    mistaken: all.filter(isMistaken).map(({ target }) => target.url as PageUrl),
  };
}

/** The keys that lead to one of the pages, possibly through redirects, in hexadecimal digits. */
async function readLeading(
  reader: Executor,
  version: number,
  targets: readonly CandidateRow[],
): Promise<ReadonlyMap<string, Declared>> {
  const leading = new Map<string, Declared>();
  for (const target of targets) leading.set(hex(target.url_key), { target, rows: [], texts: new Set() });
  let pending = targets.map(({ url_key }) => url_key);
  for (let step = 1; step < MAX_STEPS && pending.length > 0; step += 1) {
    const rows = await reader.each<{ url_key: Uint8Array; target_key: Uint8Array }>(
      selectLeading,
      pending.map((key) => [key]),
      [version],
    );
    pending = [];
    for (const { url_key, target_key } of rows) {
      const declared = leading.get(hex(target_key));
      if (declared === undefined || leading.has(hex(url_key))) continue;
      leading.set(hex(url_key), declared);
      pending.push(url_key);
    }
  }
  return leading;
}

function toCandidate(row: CandidateRow): StoredCandidate {
  return {
    url: row.url as PageUrl,
    dedupeHash: row.dedupe_hash === null ? null : hashOf(row.dedupe_hash),
    canonical: row.canonical as PageUrl | null,
    aliasOf: row.alias_key === null ? null : (hex(row.alias_key) as UrlKey),
  };
}
