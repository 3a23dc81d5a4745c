// A library that lives in one page: it indexes a folder, searches it, lists its pages and exports it. Runs in a worker; without
// one, the same code runs on the main thread and yields between files.

import { inflateSync } from 'fflate';
import type { GrammarFiles } from '../../src/core/chunk/code/grammar-loader.ts';
import {
  answerPassages,
  sourceNamesById,
  type AnswerLimits,
  type Passage,
} from '../../src/core/answer/answer-passages.ts';
import type { BundleFormat } from '../../src/core/export/bundle/bundle.ts';
import { exportBundle } from '../../src/core/export/bundle/export-bundle.ts';
import type { FileKind } from '../../src/core/files/file-kind.ts';
import { pathOfFileUrl } from '../../src/core/files/file-url.ts';
import type { IndexReader } from '../../src/core/lexical/query/index-reader.ts';
import { pathBases } from '../../src/core/lexical/query/path-filter.ts';
import type { SearchFilter } from '../../src/core/lexical/query/search-filter.ts';
import { createMemoryIndex, type MemorySegment } from '../../src/core/lexical/segment/memory-index.ts';
import type { SourceId, VersionId } from '../../src/core/model/run.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import { parseWordTable, type WordTable } from '../../src/core/vector/word-vectors.ts';
import { archiveOf, emptyLibrary, openBundle, unpackFiles, urlOf } from './open-archive.ts';
import type { SavedLibrary } from './library-model.ts';
import { deleteLibrary, listLibraries, loadLibrary, saveLibrary, type SavedInfo } from './saved-library.ts';
import type { BrowserPage } from './extract-file.ts';
import { createPageOpener, type OpenPage, type PackedPage } from './packed-page.ts';
import { createInputReader, type InputReader } from './read-file.ts';
import { readFiles, type IngestedSource, type Progress, type ReadLibrary } from './read-files.ts';
import { filesOfFolder } from './walk-files.ts';

export interface LibrarySummary {
  readonly name: string;
  readonly pages: ReadonlyArray<{ readonly path: string; readonly title: string; readonly chunks: number }>;
  readonly chunks: number;
  readonly tokens: number;
  readonly excluded: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
  /** Files that were not read again, because they are as they were. */
  readonly unchanged: number;
}

/** The part of a page that is displayed; its chunks stay in the worker. */
export type PageText = Pick<BrowserPage, 'path' | 'title' | 'text'>;

/** A passage as the server answers with it, and the path of its file. */
export interface BrowserHit extends Passage {
  readonly path: string;
}

export type SearchLimits = Pick<AnswerLimits, 'limit' | 'budget'>;

/** The filters of a search on a server, by the same names; an empty text does not filter. */
export interface BrowserFilter {
  readonly path?: string;
  readonly fileKind?: FileKind | '';
  readonly heading?: string;
  readonly symbol?: string;
}

export interface BrowserLibrary {
  /** Files of a folder, or one archive: a bundle is opened as it is, any other is unpacked. Saving continues after the answer. */
  ingest(source: IngestedSource, onProgress: (progress: Progress) => void): Promise<LibrarySummary>;
  /** The libraries saved in this browser, the newest first; one that is being saved is waited for. */
  saved(): Promise<readonly SavedInfo[]>;
  openSaved(name: string): Promise<LibrarySummary>;
  deleteSaved(name: string): Promise<void>;
  page(path: string): Promise<PageText | null>;
  search(query: string, limits: SearchLimits, filter?: BrowserFilter): Promise<readonly BrowserHit[]>;
  export(format: BundleFormat): Promise<{ readonly indexId: string; readonly zip: Uint8Array }>;
}

/** Enough that a worker has something to read while a large file holds up the others. */
const FILES_AHEAD = 8;

/** Files that the page contains. */
export interface EmbeddedFiles {
  readonly grammars: GrammarData;
  /** The table of word vectors, packed like a grammar; empty without one. */
  readonly words: string;
}

export interface BrowserLibraryDeps extends EmbeddedFiles {
  /** Workers that read files for it, which may be added later; without any, it reads them itself. */
  readonly readers: ReadonlyArray<Pick<InputReader, 'read'>>;
  readonly yieldToPage: () => Promise<void>;
}

export function createBrowserLibrary(deps: BrowserLibraryDeps): BrowserLibrary {
  const { readers, yieldToPage } = deps;
  const ownReader = createInputReader(unpackGrammars(deps.grammars));
  const open = createPageOpener();
  const words = lazyWordTable(deps.words);
  let current = emptyLibrary('');
  let index = indexPages([], { checkedAt: new Date(0), open, words });
  /** One at a time, and before any other use of what is saved. */
  let saving = Promise.resolve();

  function load({ library, excluded, unchanged, segment }: ReadLibrary): LibrarySummary {
    const pages = segment === undefined ? library.pages.toSorted((a, b) => (a.path < b.path ? -1 : 1)) : library.pages;
    current = { ...library, pages };
    index = indexPages(current.pages, { checkedAt: new Date(current.at), open, words, segment });
    const chunks = pages.reduce((sum, { chunkCount }) => sum + chunkCount, 0);
    const tokens = pages.reduce((sum, page) => sum + page.tokens, 0);
    const listed = pages.map(({ path, title, chunkCount }) => ({ path, title, chunks: chunkCount }));
    return { name: current.name, pages: listed, chunks, tokens, excluded, unchanged };
  }

  async function read(source: IngestedSource, onProgress: (progress: Progress) => void): Promise<ReadLibrary> {
    const archive = await archiveOf(source);
    const bundle = archive === null ? null : openBundle(archive);
    if (bundle !== null) return { library: bundle, excluded: [], unchanged: 0 };
    const files = archive === null ? source.files : unpackFiles(archive);
    const previous = current.name === source.name ? current : await saving.then(() => loadLibrary(source.name));
    return readFiles({ ...source, files }, previous, {
      ...(readers.length > 0 ? { readers, filesAhead: FILES_AHEAD } : { readers: [ownReader], filesAhead: 1 }),
      pipeline: await ownReader.pipeline(),
      open,
      yieldToPage,
      onProgress,
    });
  }

  return {
    async ingest({ folder, ...source }, onProgress) {
      const files = folder === undefined ? source.files : await filesOfFolder(folder);
      const found = await read({ ...source, files }, onProgress);
      const ingested = load({ ...found, library: { ...found.library, at: new Date().toISOString() } });
      const library = current;
      saving = saving.then(() => saveLibrary(library));
      return ingested;
    },
    saved: () => saving.then(listLibraries),
    async openSaved(name) {
      const library = await saving.then(() => loadLibrary(name));
      if (library === null) throw new Error('the saved library is no longer in this browser');
      return load({ library, excluded: [], unchanged: 0 });
    },
    deleteSaved: (name) => (saving = saving.then(() => deleteLibrary(name))),
    async page(pagePath) {
      const found = current.pages.find(({ path }) => path === pagePath);
      return found === undefined ? null : { path: found.path, title: found.title, text: open(found).text };
    },
    search: (query, limits, filter = {}) => searchPages(index, current, query, { ...limits, filter, words: words() }),
    export: async (format) => exportLibrary(current, open, format),
  };
}

function exportLibrary(
  { name, version, declaredVersion, startUrl, pages, leftOut, spaces }: SavedLibrary,
  open: OpenPage,
  format: BundleFormat,
): Awaited<ReturnType<BrowserLibrary['export']>> {
  const vectors = spaces.map(({ rows, ...space }) => ({ ...space, rows: () => rows }));
  const meta = { name, version, declaredVersion, startUrl };
  const { bundle, zip } = exportBundle(meta, pages.map(open), format, { spaces: vectors, leftOut });
  return { indexId: bundle.indexId, zip };
}

/** The library has one source with one version. */
const SOURCE = 1 as SourceId;
const VERSION = 1 as VersionId;

interface IndexedWith {
  readonly checkedAt: Date;
  readonly open: OpenPage;
  readonly words: () => WordTable | null;
  readonly segment?: MemorySegment | undefined;
}

function indexPages(pages: readonly PackedPage[], { checkedAt, open, words, segment }: IndexedWith): IndexReader {
  const indexed = pages.map((packed) => {
    const { path, title, pageKind = null, mediaType, inlinks = 0 } = packed;
    const page = open(packed);
    return {
      url: urlOf(path),
      title,
      pageKind,
      mediaType,
      inlinks,
      checkedAt,
      get chunks() {
        return page.chunks;
      },
      get outline() {
        return page.outline;
      },
    };
  });
  return createMemoryIndex([{ id: VERSION, source: SOURCE, pages: indexed, ...(segment && { segment }) }], words);
}

async function searchPages(
  index: IndexReader,
  { name, version, declaredVersion, startUrl }: SavedLibrary,
  query: string,
  { filter, words, ...limits }: SearchLimits & { readonly filter: BrowserFilter; readonly words: WordTable | null },
): Promise<readonly BrowserHit[]> {
  const sources = [{ id: SOURCE, name, versions: [{ id: VERSION, label: version, declaredVersion }] }];
  const names = sourceNamesById(sources);
  const bases = pathBases([{ startUrl: startUrl ?? '' }]);
  const options = { versions: [VERSION], names, words, filter: searchFilter(filter, bases) };
  const results = await retrievePages(index, query, options);
  const answer = await answerPassages(index, results, { sources, ...limits, offset: 0, explain: false });
  return answer.passages.map((passage) => {
    const page = passage.url.split('#', 1)[0] ?? '';
    return { ...passage, path: pathOfFileUrl(page) ?? page };
  });
}

function searchFilter({ path, fileKind, heading, symbol }: BrowserFilter, bases: readonly string[]): SearchFilter {
  return {
    ...(path && { pathPrefix: path, pathBases: bases }),
    ...(fileKind && { fileKinds: [fileKind] }),
    ...(heading && { headingPrefix: heading }),
    ...(symbol && { symbolPrefix: symbol }),
  };
}

/** Unpacked with the first query: a tab that only exports needs none. */
function lazyWordTable(packedTable: string): () => WordTable | null {
  let table: WordTable | null = null;
  return () => (packedTable === '' ? null : (table ??= parseWordTable(unpack(packedTable))));
}

/** Grammars embedded in the page: base64 of deflated bytes, by file name; `runtime` is the parser itself. */
export type GrammarData = Readonly<Record<string, string>>;

export function unpackGrammars(data: GrammarData): GrammarFiles {
  return {
    runtime: async () => unpack(data['runtime'] ?? ''),
    grammar: async (file) => (data[file] === undefined ? null : unpack(data[file])),
  };
}

function unpack(base64: string): Uint8Array {
  return inflateSync(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}
