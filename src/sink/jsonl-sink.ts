// A file with one object a line: every chunk, or every page, of a library. Lines are ordered by version and page, so the same library gives the same
// file, and a batch of changes is merged into it in one pass. The file is replaced as a whole, and its position is in a file next to it.

import { createReadStream } from 'node:fs';
import { access, readdir, readFile, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { urlKey, type PageUrl } from '../core/model/page-url.ts';
import { openFileWriter } from '../platform/user-files.ts';
import { createSinkLock } from './sink-lock.ts';
import type { PageKey, Sink, SinkPage } from './sink.ts';

/**
 * @example
 * const options: JsonlSinkOptions = { file: 'pages.jsonl', records: 'pages' };
 */
export interface JsonlSinkOptions {
  readonly file: string;
  /** What a line is; chunks by default. */
  readonly records?: 'pages' | 'chunks' | undefined;
}

/** A larger batch rewrites the file less often, and is in memory. */
const BATCH_BYTES = 32 * 1024 * 1024;

/**
 * @example
 * await runSink(library, createJsonlSink({ file: 'chunks.jsonl' }));
 */
export function createJsonlSink({ file: provided, records = 'chunks' }: JsonlSinkOptions): Sink {
  const file = resolve(provided);
  const positionFile = `${file}.position.json`;
  const lock = createSinkLock(join(dirname(file), `.${basename(file)}.lock`), file);
  return {
    wantsVectors: false,
    batchBytes: BATCH_BYTES,
    rewritesAll: true,
    async open() {
      lock.hold();
      await removeUnfinished(file);
      const saved = await readPosition(positionFile);
      return (await exists(file)) && saved?.records === records ? saved.position : null;
    },
    write: (pages) => mergePages(file, pages, records),
    async save(position) {
      // Also for a library without pages: the file is there, and empty.
      if (!(await exists(file))) await mergePages(file, [], records);
      await replaceFile(positionFile, [`${JSON.stringify({ position, records })}\n`]);
    },
    async *stored() {
      for await (const { record } of linesOf(file))
        yield { versionId: record.library_version_id, url: record.source_url };
    },
    notes: () => [],
    release: () => lock.release(),
    close: async () => lock.release(),
  };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Temporary files of a process that was killed. */
async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(`.${basename(file)}.`) && name.endsWith('.part')) await unlink(join(folder, name));
}

async function readPosition(path: string): Promise<{ readonly position: string; readonly records: string } | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as { position: string; records: string };
  } catch {
    return null; // missing, or not ours: everything is listed again
  }
}

interface StoredLine {
  readonly line: string;
  readonly record: { readonly library_version_id: number; readonly source_url: string };
}

async function* linesOf(file: string): AsyncGenerator<StoredLine, void> {
  if (!(await exists(file))) return;
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity }))
      yield { line, record: JSON.parse(line) as StoredLine['record'] };
  } finally {
    input.destroy();
  }
}

/** The order of the lines. */
function orderOf({ versionId, url }: PageKey): string {
  return `${String(versionId).padStart(12, '0')} ${urlKey(url as PageUrl)}`;
}

async function mergePages(file: string, pages: readonly SinkPage[], records: 'pages' | 'chunks'): Promise<void> {
  const incoming = pages
    .map((page) => ({ order: orderOf(page), page }))
    .toSorted((a, b) => (a.order < b.order ? -1 : 1));
  await replaceFile(file, mergedLines(file, incoming, records));
}

async function* mergedLines(
  file: string,
  incoming: ReadonlyArray<{ readonly order: string; readonly page: SinkPage }>,
  records: 'pages' | 'chunks',
): AsyncGenerator<string, void> {
  const replaced = new Set(incoming.map(({ order }) => order));
  let next = 0;
  for await (const { line, record } of linesOf(file)) {
    const order = orderOf({ versionId: record.library_version_id, url: record.source_url });
    for (let page = incoming[next]; page !== undefined && page.order <= order; page = incoming[(next += 1)])
      yield* linesFor(page.page, records);
    if (!replaced.has(order)) yield `${line}\n`;
  }
  for (const { page } of incoming.slice(next)) yield* linesFor(page, records);
}

function linesFor({ content }: SinkPage, records: 'pages' | 'chunks'): string[] {
  if (content === null) return [];
  const objects = records === 'pages' ? [content.page] : content.chunks;
  return objects.map((object) => `${JSON.stringify(object)}\n`);
}

async function replaceFile(path: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const sink = await openFileWriter(path, 'replace');
  const encoder = new TextEncoder();
  try {
    for await (const line of lines) await sink.write(encoder.encode(line));
    await sink.commit();
  } finally {
    await sink.discard();
  }
}
