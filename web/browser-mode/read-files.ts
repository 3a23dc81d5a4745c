// Reads the files of a folder and indexes their pages in the order of their paths, while the next files are read.

import { chunkPath } from '../../src/core/chunk/chunk-names.ts';
import { leftOutFile } from '../../src/core/export/bundle/left-out-file.ts';
import { displayPath, fileUrl } from '../../src/core/files/file-url.ts';
import { createSegmentPacker, type MemorySegment } from '../../src/core/lexical/segment/memory-index.ts';
import type { SavedLibrary } from './library-model.ts';
import { emptyLibrary, urlOf } from './open-archive.ts';
import type { OpenPage, PackedPage } from './packed-page.ts';
import type { InputReader, ReadOutcome } from './read-file.ts';
import { walkFiles, type FolderHandle, type InputFile } from './walk-files.ts';

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly path: string;
}

export interface IngestedSource {
  readonly name: string;
  readonly files: readonly InputFile[];
  /** Used instead of files. */
  readonly folder?: FolderHandle;
  /** Total of all files; those over it are excluded. */
  readonly maxSourceBytes?: number;
}

/** A library, and what is known only of the visit in which it was read. */
export interface ReadLibrary {
  readonly library: SavedLibrary;
  readonly excluded: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
  /** Files that were not read again, because they are as they were. */
  readonly unchanged: number;
  /** The segment of the pages in their order; built from them if absent. */
  readonly segment?: MemorySegment;
}

export interface ReadDeps {
  /** At least one. */
  readonly readers: ReadonlyArray<Pick<InputReader, 'read'>>;
  /** How many files a reader is given before the first of them is needed. */
  readonly filesAhead: number;
  readonly pipeline: string;
  readonly open: OpenPage;
  readonly yieldToPage: () => Promise<void>;
  readonly onProgress: (progress: Progress) => void;
}

/** A file that is as it was in the former library of that name keeps its chunks. */
export async function readFiles(
  { name, files, maxSourceBytes }: IngestedSource,
  previous: SavedLibrary | null,
  deps: ReadDeps,
): Promise<ReadLibrary> {
  const { pipeline, open, yieldToPage, onProgress } = deps;
  const walked = await walkFiles(files, maxSourceBytes);
  const known = previous?.pipeline === pipeline ? previous.pages : [];
  const inputs = inPageOrder(walked.files, new Map(known.map((page) => [page.path, page])));
  const pages: PackedPage[] = [];
  const excluded = [...walked.excluded];
  const packer = createSegmentPacker();
  let unchanged = 0;
  let done = 0;
  for await (const { input, before, outcome } of readAhead(inputs, deps)) {
    const page = outcome.kind === 'unchanged' ? before : outcome.kind === 'page' ? outcome.page : null;
    if (outcome.kind === 'unchanged') unchanged += 1;
    if (outcome.kind === 'skipped') excluded.push({ path: input.path, reason: outcome.reason });
    if (page !== null) {
      pages.push(page);
      packer.addPage({ url: urlOf(page.path), title: page.title, chunks: open(page).chunks });
    }
    done += 1;
    onProgress({ done, total: inputs.length, path: input.path });
    await yieldToPage();
  }
  const leftOut = excluded.flatMap(({ path, reason }) => leftOutFile(fileUrl(displayPath(path)), reason));
  return { library: { ...emptyLibrary(name), pipeline, pages, leftOut }, excluded, unchanged, segment: packer.pack() };
}

interface FileToRead {
  readonly input: InputFile;
  /** The page that a former visit made of it. */
  readonly before: PackedPage | null;
}

function inPageOrder(files: readonly InputFile[], previous: ReadonlyMap<string, PackedPage>): readonly FileToRead[] {
  return files
    .map((input) => ({ input, path: chunkPath(fileUrl(displayPath(input.path))) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ input, path }) => ({ input, before: previous.get(path) ?? null }));
}

interface FileRead extends FileToRead {
  readonly outcome: ReadOutcome;
}

/** In the order of the files. A file goes to the reader that has the fewest bytes to read. */
async function* readAhead(files: readonly FileToRead[], { readers, filesAhead }: ReadDeps): AsyncGenerator<FileRead> {
  const loads = readers.map((reader) => ({ reader, bytes: 0 }));
  const read = async (file: FileToRead): Promise<FileRead> => {
    const { input, before } = file;
    const least = loads.reduce((a, b) => (a.bytes <= b.bytes ? a : b));
    least.bytes += input.file.size;
    const outcome = await least.reader.read(input, before?.hash ?? null);
    least.bytes -= input.file.size;
    return { ...file, outcome };
  };
  const started: Array<Promise<FileRead>> = [];
  for (const file of files) {
    const reading = read(file);
    // A failure is thrown when it is the turn of its file.
    reading.catch(() => undefined);
    started.push(reading);
    if (started.length < readers.length * filesAhead) continue;
    const [first] = started.splice(0, 1);
    if (first !== undefined) yield first;
  }
  for (const reading of started) yield reading;
}
