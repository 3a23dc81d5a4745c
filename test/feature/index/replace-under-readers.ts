// Replaces one page again and again while two readers search for a word that every revision of it has. Title, headings and texts
// name their revision, so an answer shows whether it is of one.

import { createSearch } from '../../../src/search/search.ts';
import type { SearchIndex } from '../../../src/index/port.ts';
import type { Store } from '../../../src/store/port.ts';
import { indexEverything, settlePages } from '../../support/qdrant-library.ts';
import type { MadePage } from '../../support/zipf-pages.ts';

export interface ReplacedPage {
  readonly replacements: number;
  readonly answers: number;
  /** Answers without the page, or with parts of several revisions. */
  readonly misses: readonly string[];
  /** Between the index and the store, in the end. */
  readonly differences: readonly string[];
}

export async function replaceUnderReaders(
  store: Store,
  index: SearchIndex,
  replacements: number,
): Promise<ReplacedPage> {
  const source = await settlePages(store, [pageOf(0)]);
  await indexEverything(index);
  const search = createSearch(store, index);
  const request = { query: 'lasting', source: source.name, limit: 8, budget: 4000, offset: 0, explain: false };
  const done = new AbortController();
  const misses: string[] = [];
  let answers = 0;
  const read = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const { passages } = await search(request);
      answers += 1;
      const shown = passages.flatMap(({ title, headings, text }) => [title, ...headings, text]);
      const revisions = new Set(shown.flatMap((text) => text.match(/revision\d+/g) ?? []));
      if (passages.length === 0) misses.push('no page');
      if (revisions.size > 1) misses.push([...revisions].join(' and '));
    }
  };
  const readers = [read(), read()];
  for (let revision = 1; revision <= replacements; revision += 1) {
    await settlePages(store, [pageOf(revision)], source);
    await indexEverything(index);
    await index.compact(0);
  }
  done.abort();
  await Promise.all(readers);
  return { replacements, answers, misses, differences: await index.verify(Infinity) };
}

/** A page of one to four chunks. */
function pageOf(revision: number): MadePage {
  const more = Array.from({ length: revision % 4 }, (_, at) => `lasting part ${at} of revision${revision}`);
  return {
    url: 'https://x.dev/a',
    title: `Title of revision${revision}`,
    texts: [`lasting word of revision${revision}`, ...more],
  };
}
