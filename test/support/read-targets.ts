// The content of a sink and the expected one: one line for each chunk, or for each page.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import type { Library } from '../../src/index.ts';

async function versionsOf(library: Library): Promise<ReadonlyArray<{ source: string; version: string }>> {
  const { sources } = await library.call('export_definitions', {});
  return sources.flatMap(({ name, versions = [''] }) => versions.map((version) => ({ source: name, version })));
}

export async function libraryChunks(library: Library): Promise<string[]> {
  const chunks: string[] = [];
  for (const of of await versionsOf(library))
    for await (const { url, id, text } of library.chunks({ ...of, pageLimit: 100 }))
      chunks.push(`${of.source} ${url} ${id} ${text}`);
  return chunks.toSorted();
}

export async function libraryPages(library: Library): Promise<string[]> {
  const pages: string[] = [];
  for (const of of await versionsOf(library))
    for await (const { url, chunks } of library.pages({ ...of, limit: 1000 }))
      if (chunks > 0) pages.push(`${url} ${(await library.call('show_page', { ...of, url })).contentHash}`);
  return pages.toSorted();
}

interface ChunkPayload {
  readonly library_source: string;
  readonly source_url: string;
  readonly chunk_id: string;
  readonly chunk_text: string;
}

function chunkLine({ library_source: source, source_url: url, chunk_id: id, chunk_text: text }: ChunkPayload): string {
  return `${source} ${url} ${id} ${text}`;
}

export function jsonlChunks(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => chunkLine(JSON.parse(line) as ChunkPayload)).toSorted();
}

export interface Point {
  readonly id: string;
  readonly payload: ChunkPayload & Readonly<Record<string, unknown>>;
  readonly vector: readonly number[] | Readonly<Record<string, never>>;
}

export async function qdrantPoints(url: string, collection: string): Promise<Point[]> {
  const points: Point[] = [];
  for (let offset: string | null = null; ;) {
    const answer = await fetch(`${url}/collections/${collection}/points/scroll`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ limit: 500, with_payload: true, with_vector: true, ...(offset !== null && { offset }) }),
    });
    const { result } = (await answer.json()) as { result: { points: Point[]; next_page_offset: string | null } };
    // The marker of a process that writes is not a chunk.
    points.push(...result.points.filter(({ payload }) => 'chunk_id' in payload));
    offset = result.next_page_offset;
    if (offset === null) return points;
  }
}

export async function qdrantChunks(url: string, collection: string): Promise<string[]> {
  return (await qdrantPoints(url, collection)).map(({ payload }) => chunkLine(payload)).toSorted();
}

export function folderPages(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => {
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      const { url, content_hash: hash } = parseYaml(/^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? '') as Record<
        string,
        string
      >;
      return `${url} ${hash}`;
    })
    .toSorted();
}
