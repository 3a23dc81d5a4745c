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
import { exportBundle } from '../../src/core/export/bundle/export-bundle.ts';
import { assetPath } from '../../src/core/export/pages/page-path.ts';
import { fileUrl, pathOfFileUrl } from '../../src/core/files/file-url.ts';
import type { IndexReader } from '../../src/core/lexical/query/index-reader.ts';
import { createMemoryIndex } from '../../src/core/lexical/segment/memory-index.ts';
import type { SourceId, VersionId } from '../../src/core/model/run.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import {
  loadSavedInfo,
  deleteLibrary,
  saveLibrary,
  loadLibrary,
  type SavedInfo,
  type SavedLibrary,
} from './saved-library.ts';
import { createFileExtractor, type BrowserPage } from './extract-file.ts';
import { walkFiles, type InputFile } from './walk-files.ts';

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly path: string;
}

export interface LibrarySummary {
  readonly name: string;
  readonly pages: ReadonlyArray<{ readonly path: string; readonly title: string; readonly chunks: number }>;
  readonly chunks: number;
  readonly tokens: number;
  readonly excluded: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

/** The part of a page that is displayed; its chunks stay in the worker. */
export type PageText = Pick<BrowserPage, 'path' | 'title' | 'text'>;

/** A passage as the server answers with it, and the path of its file. */
export interface BrowserHit extends Passage {
  readonly path: string;
}

export type SearchLimits = Pick<AnswerLimits, 'limit' | 'budget'>;

export interface BrowserLibrary {
  ingest(name: string, files: readonly InputFile[], onProgress: (progress: Progress) => void): Promise<LibrarySummary>;
  /** The library saved in this browser, if there is one. */
  savedInfo(): Promise<SavedInfo | null>;
  openSaved(): Promise<LibrarySummary>;
  deleteSaved(): Promise<void>;
  page(path: string): Promise<PageText | null>;
  search(query: string, limits: SearchLimits): Promise<readonly BrowserHit[]>;
  export(form: 'full' | 'compact'): Promise<{ readonly indexId: string; readonly zip: Uint8Array }>;
}

export function createBrowserLibrary(grammars: GrammarData, yieldToPage: () => Promise<void>): BrowserLibrary {
  const extractFile = createFileExtractor(unpackGrammars(grammars));
  let name = '';
  let pages: readonly BrowserPage[] = [];
  let excluded: LibrarySummary['excluded'] = [];
  let index = indexPages([], new Date(0));

  function summary(): LibrarySummary {
    const chunks = pages.flatMap((page) => page.chunks);
    const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
    const listed = pages.map((page) => ({ path: page.path, title: page.title, chunks: page.chunks.length }));
    return { name, pages: listed, chunks: chunks.length, tokens, excluded };
  }

  function load({ name: libraryName, at, pages: extracted }: SavedLibrary): LibrarySummary {
    name = libraryName;
    pages = extracted.map(withAsset).toSorted((a, b) => (a.path < b.path ? -1 : 1));
    index = indexPages(pages, new Date(at));
    return summary();
  }

  return {
    async ingest(folderName, files, onProgress) {
      const walked = await walkFiles(files);
      const extracted: BrowserPage[] = [];
      const notStored: Array<{ path: string; reason: string }> = [...walked.excluded];
      for (const [at, { path, file }] of walked.files.entries()) {
        const outcome = await extractFile(path, new Uint8Array(await file.arrayBuffer()));
        if (outcome.kind === 'page') extracted.push(outcome.page);
        else notStored.push({ path, reason: outcome.reason });
        onProgress({ done: at + 1, total: walked.files.length, path });
        await yieldToPage();
      }
      excluded = notStored;
      const at = new Date().toISOString();
      const ingested = load({ name: folderName, at, pages: extracted });
      await saveLibrary({ name, at, pages });
      return ingested;
    },
    savedInfo: loadSavedInfo,
    async openSaved() {
      const saved = await loadLibrary();
      if (saved === null) throw new Error('the saved library is no longer in this browser');
      excluded = [];
      return load(saved);
    },
    deleteSaved: deleteLibrary,
    async page(pagePath) {
      const found = pages.find(({ path }) => path === pagePath);
      return found === undefined ? null : { path: found.path, title: found.title, text: found.text };
    },
    search: (query, limits) => searchPages(index, name, query, limits),
    async export(form) {
      const { bundle, zip } = exportBundle({ name, version: '', origin: null }, pages, form);
      return { indexId: bundle.indexId, zip };
    },
  };
}

/** A library that was saved before bundles had asset paths and warnings. */
function withAsset(page: BrowserPage): BrowserPage {
  const { assetPath: known, warnings } = page as Partial<BrowserPage>;
  if (known !== undefined && warnings !== undefined) return page;
  return { ...page, assetPath: page.image === undefined ? null : assetPath(page.path), warnings: warnings ?? [] };
}

/** The library has one source with one version. */
const SOURCE = 1 as SourceId;
const VERSION = 1 as VersionId;

function indexPages(pages: readonly BrowserPage[], checkedAt: Date): IndexReader {
  const indexed = pages.map(({ path, title, pageKind = null, mediaType, chunks, outline = [] }) => {
    return { url: fileUrl(path), title, pageKind, mediaType, checkedAt, chunks, outline };
  });
  return createMemoryIndex([{ id: VERSION, source: SOURCE, pages: indexed }]);
}

async function searchPages(
  index: IndexReader,
  name: string,
  query: string,
  limits: SearchLimits,
): Promise<readonly BrowserHit[]> {
  const sources = [{ id: SOURCE, name, versions: [{ id: VERSION, label: '' }] }];
  const results = await retrievePages(index, query, { versions: [VERSION], names: sourceNamesById(sources) });
  const answer = await answerPassages(index, results, { sources, ...limits, offset: 0, explain: false });
  return answer.passages.map((passage) => ({
    ...passage,
    path: pathOfFileUrl(passage.url.split('#', 1)[0] ?? '') ?? '',
  }));
}

/** Grammars embedded in the page: base64 of deflated bytes, by file name; `runtime` is the parser itself. */
export type GrammarData = Readonly<Record<string, string>>;

function unpackGrammars(data: GrammarData): GrammarFiles {
  return {
    runtime: async () => unpack(data['runtime'] ?? ''),
    grammar: async (file) => (data[file] === undefined ? null : unpack(data[file])),
  };
}

function unpack(base64: string): Uint8Array {
  return inflateSync(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}
