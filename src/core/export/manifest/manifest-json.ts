// manifest.json (format 2): every fact of a bundle under its full name. docs/formats.md describes the fields.

import { z } from 'zod';
import { shortChunkId } from '../../chunk/chunk-names.ts';
import type { Bundle, BundleChunk, BundlePage } from '../bundle/bundle.ts';

const kinds = ['prose', 'code', 'table', 'data', 'operation', 'image'] as const;

const ChunkEntry = z.object({
  ref: z.string(),
  id: z.string(),
  short_id: z.string(),
  slug: z.string(),
  ordinal: z.int().min(0),
  kind: z.enum(kinds),
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

/** One line a file, so that two manifests can be compared by eye and by diff. */
export function* manifestJson({ about, indexId, pages, chunks, tokens }: Bundle): Generator<string> {
  const head: Omit<ManifestJson, 'files'> = {
    kind: 'pinakes-bundle',
    format: 2,
    index_id: indexId,
    ...about,
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
  const { path, title, description, language, mediaType, hash, imageEnding, chunks } = page;
  const [first] = chunks;
  return {
    path,
    title,
    description,
    language,
    media_type: mediaType,
    hash,
    image: imageEnding === null || first === undefined ? null : imageName(first.ref, imageEnding),
    chunks: chunks.map(chunkEntry),
  };
}

function chunkEntry(chunk: BundleChunk): z.input<typeof ChunkEntry> {
  const { ref, id, slug, ordinal, kind, headings, anchor, symbol, address, lines, tokens, contentHash } = chunk;
  return {
    ref,
    id,
    short_id: shortChunkId(id),
    slug,
    ordinal,
    kind,
    headings: [...headings],
    anchor,
    symbol,
    address,
    lines: [lines.first, lines.last],
    tokens,
    content_hash: contentHash,
    file: chunkName(ref),
  };
}

/** Names of files come from refs alone: no title or path of a page ever names a file of a bundle. */
export function chunkName(ref: string): string {
  return `chunks/${ref}.md`;
}

export function imageName(ref: string, ending: string): string {
  return `images/${ref}.${ending}`;
}
