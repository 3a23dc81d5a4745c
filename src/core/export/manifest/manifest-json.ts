// Writes manifest.json (format 2): all metadata of a bundle with full field names. docs/formats.md describes the fields.

import { z } from 'zod';
import { shortChunkId } from '../../chunk/chunk-names.ts';
import type { Bundle, BundleChunk, BundlePage } from '../bundle/bundle.ts';

const PASSAGE_KINDS = ['prose', 'code', 'table', 'data', 'image'] as const;

const ChunkEntry = z.object({
  ref: z.string(),
  id: z.string(),
  short_id: z.string(),
  slug: z.string(),
  ordinal: z.int().min(0),
  kind: z.enum(PASSAGE_KINDS),
  headings: z.array(z.string()),
  anchor: z.string().nullable(),
  symbol: z.string().nullable(),
  address: z.string().nullable(),
  lines: z.tuple([z.int().min(1), z.int().min(1)]),
  tokens: z.int(),
  content_hash: z.string(),
  file: z.string(),
});

const FileEntry = z.object({
  path: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  language: z.string().nullable(),
  media_type: z.string(),
  hash: z.string(),
  image: z.string().nullable(),
  chunks: z.array(ChunkEntry),
});

export const ManifestJson = z.object({
  kind: z.literal('pinakes-bundle'),
  format: z.literal(2),
  index_id: z.string(),
  name: z.string(),
  version: z.string(),
  origin: z.string().nullable(),
  counts: z.object({ files: z.int(), chunks: z.int(), tokens: z.int() }),
  files: z.array(FileEntry),
});

export type ManifestJson = z.output<typeof ManifestJson>;

/** One line per file, so that two manifests can be compared by eye and by diff. */
export function* manifestJson({ meta, indexId, pages, chunks, tokens }: Bundle): Generator<string> {
  const head: Omit<ManifestJson, 'files'> = {
    kind: 'pinakes-bundle',
    format: 2,
    index_id: indexId,
    ...meta,
    counts: { files: pages.size, chunks, tokens },
  };
  yield `${JSON.stringify(head).slice(0, -1)},"files":[`;
  let before = '\n';
  for (const page of pages) {
    yield before + JSON.stringify(fileEntry(page));
    before = ',\n';
  }
  yield '\n]}\n';
}

function fileEntry(page: BundlePage): z.input<typeof FileEntry> {
  const { path, title, description, language, mediaType, hash, imageExtension, chunks } = page;
  const [first] = chunks;
  return {
    path,
    title,
    description,
    language,
    media_type: mediaType,
    hash,
    image: imageExtension === null || first === undefined ? null : imageFileName(first.ref, imageExtension),
    chunks: chunks.map(chunkEntry),
  };
}

function chunkEntry(chunk: BundleChunk): z.input<typeof ChunkEntry> {
  const { ref, id, slug, ordinal, passageKind, headings, anchor, symbol, jsonPath, lines, tokens, contentHash } = chunk;
  return {
    ref,
    id,
    short_id: shortChunkId(id),
    slug,
    ordinal,
    kind: passageKind,
    headings: [...headings],
    anchor,
    symbol,
    address: jsonPath,
    lines: [lines.first, lines.last],
    tokens,
    content_hash: contentHash,
    file: chunkFileName(ref),
  };
}

/** File names are derived from refs only, never from the title or path of a page. */
export function chunkFileName(ref: string): string {
  return `chunks/${ref}.md`;
}

export function imageFileName(ref: string, extension: string): string {
  return `images/${ref}.${extension}`;
}
