// What is wrong with a library under load once all of its runs have ended: pages, search, change feed, event stream and invariants.

import { waitUntil } from '../../support/wait-until.ts';
import { wordOf, type LoadedLibrary } from './loaded-library.ts';

export type Query = <Row extends object>(sql: string) => Promise<readonly Row[]>;

export const LAST_EVENT = 'select last::int as n from event_head';

export async function storedSources(query: Query): Promise<ReadonlySet<string>> {
  return new Set((await query<{ name: string }>('select name from sources')).map(({ name }) => name));
}

export async function libraryProblems(load: LoadedLibrary, query: Query): Promise<readonly string[]> {
  const lastEvent = async (): Promise<number> => (await query<{ n: number }>(LAST_EVENT))[0]?.n ?? 0;
  return [
    ...(await siteProblems(query, load)),
    ...(await searchProblems(load, await storedSources(query))),
    ...(await feedProblems(query, load)),
    ...(await eventProblems(lastEvent, load)),
    ...(await load.client.verify()).violations.map((violation) => `verify: ${JSON.stringify(violation)}`),
  ];
}

/** Stored set equals the site. */
async function siteProblems(query: Query, { site }: LoadedLibrary): Promise<string[]> {
  const rows = await query<{ url: string }>(`select url from pages where alias_key is null order by url`);
  const stored = new Set(rows.filter(({ url }) => url.startsWith(site.origin)).map(({ url }) => new URL(url).pathname));
  const expected = [...site.oracle.stored.keys()];
  const missing = expected.filter((path) => !stored.has(path));
  const extra = [...stored].filter((path) => !site.oracle.stored.has(path));
  return [...missing.map((path) => `${path} is missing`), ...extra.map((path) => `${path} should not be stored`)];
}

/** A search for the word of each source finds its page, and nothing for a source that is gone. */
async function searchProblems(
  { client, acknowledged }: LoadedLibrary,
  sources: ReadonlySet<string>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { source } of acknowledged) {
    const word = wordOf(Number(source.slice('note-'.length)));
    const { passages } = await client.search({ query: word });
    const isFound = passages.some(({ text }) => text.includes(word));
    if (isFound !== sources.has(source)) problems.push(`a search ${isFound ? 'finds' : 'does not find'} ${source}`);
  }
  return problems;
}

/** The copy of a consumer is what the library has. */
async function feedProblems(query: Query, { feed }: LoadedLibrary): Promise<string[]> {
  const rows = await query<{ line: string }>(
    `select p.version_id || ' ' || p.url || ' ' || encode(c.chunk_id, 'hex') as line from chunks c join pages p using (version_id, url_key) where p.alias_key is null`,
  );
  const expected = rows.map(({ line }) => line).toSorted();
  const isEqual = (): boolean => JSON.stringify(feed.chunks()) === JSON.stringify(expected);
  return waitUntil('the copy is equal', isEqual, 60_000).then(
    () => [],
    () => [`the copy of the feed has ${feed.chunks().length} chunks, the library ${expected.length}`],
  );
}

/** A listener that connects again goes on to the newest event. */
async function eventProblems(last: () => Promise<number>, { events }: LoadedLibrary): Promise<string[]> {
  return waitUntil('the newest event arrives', async () => events.seen.at(-1) === (await last()), 60_000).then(
    () => [],
    async () => [`the stream is at event ${events.seen.at(-1)} of ${await last()}`],
  );
}
