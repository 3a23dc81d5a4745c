// Replaces one page again and again while two readers search for a word that every revision of it has.

import { openTestSqlite } from '../support/stores.ts';
import { indexEverything, openQdrantIndex, queryOf, settlePages } from './qdrant-library.ts';

export interface ReplacedPage {
  readonly replacements: number;
  readonly answers: number;
  /** Answers without the page, with it twice, or without a chunk that exists. */
  readonly misses: readonly string[];
  /** Between the points and the store, in the end. */
  readonly differences: readonly string[];
}

export async function replaceUnderReaders(urls: readonly string[], replacements: number): Promise<ReplacedPage> {
  const { store, close } = await openTestSqlite();
  const index = await openQdrantIndex(store, urls);
  const page = (revision: number): { url: string; texts: string[] } => {
    const more = Array.from({ length: revision % 4 }, (_, at) => `lasting part ${at} of revision${revision}`);
    return { url: 'https://x.dev/a', texts: [`lasting word of revision${revision}`, ...more] };
  };
  const source = await settlePages(store, [page(0)]);
  await indexEverything(index);
  const query = queryOf('lasting', [source.versions[0]!.id]);
  const done = new AbortController();
  const misses: string[] = [];
  let answers = 0;
  const read = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const { pages } = await index.candidates(query);
      answers += 1;
      if (pages.length !== 1) misses.push(`${pages.length} pages`);
      const places = pages.flatMap(({ version, url, chunks }) =>
        chunks.map(({ ordinal }) => ({ version, url, ordinal })),
      );
      const live = await store.chunks.passages(places);
      const revisions = new Set(live.map(({ text }) => /revision\d+/.exec(text)?.[0]));
      if (revisions.size !== 1) misses.push(`revisions ${[...revisions].join(' and ')}`);
    }
  };
  const readers = [read(), read()];
  for (let revision = 1; revision <= replacements; revision += 1) {
    await settlePages(store, [page(revision)], source);
    await indexEverything(index);
  }
  done.abort();
  await Promise.all(readers);
  const differences = await index.verify(Infinity);
  await close();
  return { replacements, answers, misses, differences };
}
