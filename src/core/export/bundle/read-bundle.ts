// Reads a bundle back. Nothing in it is believed: hashes and ids are computed again from the texts, paths are judged as
// those of any stranger, and the index id must come out as it is written.

import { diskPath } from '../../files/file-url.ts';
import { pathVerdict } from '../../files/path-verdict.ts';
import { chunkId, estimateTokens, type Chunk } from '../../model/chunk.ts';
import { pinakesError, type PinakesError } from '../../model/errors.ts';
import { sha256Hex, type Sha256 } from '../../model/hash.ts';
import { decodeUtf8 } from '../../model/decode-utf8.ts';
import { countLines } from '../count-lines.ts';
import type { BundleAbout, PageFacts } from './bundle.ts';
import { textOfChunkFile } from './chunk-file.ts';
import { indexIdOf } from '../index-id.ts';
import { chunkName, imageName } from '../manifest/manifest-json.ts';
import type { ManifestPage } from '../manifest/manifest.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { carriedSpaces, type CarriedSpace } from './vector-files.ts';

export interface ReadPage extends PageFacts {
  readonly chunks: readonly Chunk[];
  /** The image itself; null where there is none. */
  readonly image: Uint8Array | null;
}

export interface BundleReader {
  readonly about: BundleAbout;
  readonly indexId: Sha256;
  /** In the order of the manifest. */
  readonly pages: readonly PageFacts[];
  readonly vectors: readonly CarriedSpace[];
  /** Raises `bundle.broken`; null for a path that the bundle does not have. */
  read(path: string): ReadPage | null;
}

const MAX_CHUNK_CHARS = 1_000_000;

/** `files` by their names in the bundle. Raises `bundle.broken`. */
export function readBundle(name: string, files: ReadonlyMap<string, Uint8Array>): BundleReader {
  const broken = (why: string): PinakesError => pinakesError('bundle.broken', { name, why });
  const manifest = readManifest(files);
  if (manifest === null) throw broken('it has no manifest that can be read');
  const byPath = new Map(manifest.pages.map((page) => [page.facts.path, page]));
  if (byPath.size !== manifest.pages.length) throw broken('two files have the same path');
  const stranger = manifest.pages.find(({ facts }) => !isPagePath(facts.path));
  if (stranger !== undefined) throw broken('a path leads out of it');
  const indexId = indexIdOf(manifest.pages.map(({ facts }) => facts));
  if (indexId !== manifest.indexId) throw broken('its index id is not that of its files');

  return {
    about: manifest.about,
    indexId,
    pages: manifest.pages.map(({ facts }) => facts),
    vectors: carriedSpaces(files),
    read(path) {
      const page = byPath.get(path);
      if (page === undefined) return null;
      const chunks = chunksOf(page, (ref) => {
        const file = files.get(chunkName(ref));
        const text = file === undefined ? null : textOfChunkFile(decodeUtf8(file), MAX_CHUNK_CHARS);
        if (text === null) throw broken(`the chunk ${ref} is missing or not readable`);
        return text;
      });
      if (chunks === null) throw broken(`a chunk of ${path} is not the one that the manifest names`);
      return { ...page.facts, chunks, image: imageOf(page, files) };
    },
  };
}

function chunksOf(page: ManifestPage, textOf: (ref: string) => string): readonly Chunk[] | null {
  const times = new Map<Sha256, number>();
  const chunks: Chunk[] = [];
  const ids = new Set(page.chunks.map(({ stated }) => stated?.id));
  for (const { ref, stated, ...facts } of page.chunks) {
    const text = textOf(ref);
    const contentHash = sha256Hex(text);
    const nth = times.get(contentHash) ?? 0;
    times.set(contentHash, nth + 1);
    const id = chunkId(page.facts.path, contentHash, nth);
    if (stated !== null && (stated.contentHash !== contentHash || !ids.has(id))) return null;
    const first = facts.lines.first;
    const lines = { first, last: facts.lines.last ?? first + countLines(text) - 1 };
    chunks.push({ ...facts, lines, id, contentHash, text, tokens: estimateTokens(text) });
  }
  return chunks;
}

function imageOf({ facts, chunks }: ManifestPage, files: ReadonlyMap<string, Uint8Array>): Uint8Array | null {
  const [first] = chunks;
  if (facts.imageEnding === null || first === undefined) return null;
  return files.get(imageName(first.ref, facts.imageEnding)) ?? null;
}

function isPagePath(path: string): boolean {
  if (!/^https?:\/\//.test(path)) return pathVerdict(path, 'any').admit && diskPath(path) !== null;
  const url = URL.parse(path);
  return url !== null && url.href === path && url.username === '' && url.password === '' && url.hash === '';
}
