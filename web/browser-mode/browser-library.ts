// A library that lives in one page: read a folder, search it, list it, carry it away. Runs in a worker; where a page has
// none, the same code runs beside the page and makes room for it between files.

import type { GrammarFiles } from '../../src/core/chunk/code/grammar-loader.ts';
import { exportBundle } from '../../src/core/export/bundle/export-bundle.ts';
import { buildIndex } from '../../src/core/lexical/standalone/build-index.ts';
import type { IndexEntry, LexicalIndex } from '../../src/core/lexical/standalone/lexical-index.ts';
import { searchIndex } from '../../src/core/lexical/standalone/search-index.ts';
import type { ChunkKind } from '../../src/core/model/chunk.ts';
import { aboutKept, forgetLibrary, keepLibrary, keptLibrary, type KeptAbout } from './saved-library.ts';
import { createReadPage, type LocalPage } from './extract-file.ts';
import { walkFiles, type GivenFile } from './walk-files.ts';

export interface Progress {
  readonly done: number;
  readonly of: number;
  readonly path: string;
}

export interface Summary {
  readonly name: string;
  readonly pages: ReadonlyArray<{ readonly path: string; readonly title: string; readonly chunks: number }>;
  readonly chunks: number;
  readonly tokens: number;
  readonly left: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

/** What is read of a page; its chunks stay where they are. */
export type ShownPage = Pick<LocalPage, 'path' | 'title' | 'text'>;

export interface LocalHit {
  readonly path: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly kind: ChunkKind;
  readonly id: string;
  readonly text: string;
  readonly score: number;
}

export interface LocalLibrary {
  ingest(name: string, given: readonly GivenFile[], tell: (progress: Progress) => void): Promise<Summary>;
  /** What was read before and is kept in this browser. */
  kept(): Promise<KeptAbout | null>;
  /** Opens what is kept. */
  reopen(): Promise<Summary>;
  forget(): Promise<void>;
  page(path: string): Promise<ShownPage | null>;
  search(words: string, limit: number): Promise<readonly LocalHit[]>;
  export(form: 'full' | 'compact'): Promise<{ readonly indexId: string; readonly zip: Uint8Array }>;
}

export function createLocalLibrary(grammars: GrammarFiles, rest: () => Promise<void>): LocalLibrary {
  const readPage = createReadPage(grammars);
  let name = '';
  let pages: readonly LocalPage[] = [];
  let left: Summary['left'] = [];
  let index: LexicalIndex = buildIndex([]);

  function summary(): Summary {
    const chunks = pages.flatMap((page) => page.chunks);
    const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
    const listed = pages.map((page) => ({ path: page.path, title: page.title, chunks: page.chunks.length }));
    return { name, pages: listed, chunks: chunks.length, tokens, left };
  }

  function keep(called: string, read: readonly LocalPage[]): Summary {
    name = called;
    pages = read.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const entries = pages.flatMap(({ path, title, chunks }) =>
      chunks.map((chunk): IndexEntry => ({ path, title, chunk })),
    );
    index = buildIndex(entries);
    return summary();
  }

  return {
    async ingest(called, given, tell) {
      const walked = await walkFiles(given);
      const read: LocalPage[] = [];
      const skipped: Array<{ path: string; reason: string }> = [...walked.refused];
      for (const [at, { path, file }] of walked.files.entries()) {
        const outcome = await readPage(path, new Uint8Array(await file.arrayBuffer()));
        if (outcome.kind === 'page') read.push(outcome.page);
        else skipped.push({ path, reason: outcome.reason });
        tell({ done: at + 1, of: walked.files.length, path });
        await rest();
      }
      left = skipped;
      const made = keep(called, read);
      await keepLibrary({ name, at: new Date().toISOString(), pages });
      return made;
    },
    kept: aboutKept,
    async reopen() {
      const kept = await keptLibrary();
      if (kept === null) throw new Error('this browser has forgotten it');
      left = [];
      return keep(kept.name, kept.pages);
    },
    forget: forgetLibrary,
    async page(wanted) {
      const found = pages.find(({ path }) => path === wanted);
      return found === undefined ? null : { path: found.path, title: found.title, text: found.text };
    },
    async search(words, limit) {
      return searchIndex(index, words, { limit }).map(({ entry, score }) => hitOf(entry, score));
    },
    async export(form) {
      const { bundle, zip } = exportBundle({ name, version: '', origin: null }, pages, form);
      return { indexId: bundle.indexId, zip };
    },
  };
}

function hitOf({ path, title, chunk: { headings, kind, id, text } }: IndexEntry, score: number): LocalHit {
  return { path, title, headings, kind, id, text, score };
}
