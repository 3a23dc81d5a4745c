// One file becomes a page with its chunks: the same extractors, verdicts and chunkers as in the program.

import { pageVerdict } from '../../src/core/classify/page-verdict.ts';
import { chunkPath } from '../../src/core/chunk/chunk-path.ts';
import { bundleLimits } from '../../src/core/chunk/chunker.ts';
import { createGrammarLoader, type GrammarFiles } from '../../src/core/chunk/code/grammar-loader.ts';
import { createChunkers } from '../../src/core/chunk/chunkers.ts';
import type { PageWithImage } from '../../src/core/export/bundle/export-bundle.ts';
import { extractors } from '../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { fileMediaType, imageEndingOf } from '../../src/core/local/file-media-type.ts';
import { fileUrl, shownPath } from '../../src/core/files/file-url.ts';
import { PinakesError } from '../../src/core/model/errors.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';

export type LocalPage = PageWithImage & { readonly text: string };

export type ReadOutcome =
  | { readonly kind: 'page'; readonly page: LocalPage }
  | { readonly kind: 'skipped'; readonly reason: string };

export type ReadPage = (path: string, body: Uint8Array) => Promise<ReadOutcome>;

export function createReadPage(grammars: GrammarFiles): ReadPage {
  const chunkers = createChunkers(createGrammarLoader(grammars));
  const registry = createExtractorRegistry(extractors);

  async function read(path: string, body: Uint8Array): Promise<ReadOutcome> {
    const url = fileUrl(shownPath(path));
    const { document, facts } = registry.extract({ url, mediaType: null, body });
    const verdict = pageVerdict({ document, facts, headers: {} });
    if (verdict.kind === 'not-knowledge') return { kind: 'skipped', reason: `${verdict.because}: ${verdict.rule}` };
    await chunkers.prepare(document);
    const { chunks } = chunkers.chunk(document, bundleLimits);
    const { title, description, language, format, text } = document;
    const isImage = chunks[0]?.kind === 'image';
    const named = { path: chunkPath(url), title, description, language, mediaType: fileMediaType(format, url) };
    const imageEnding = isImage ? imageEndingOf(named.path) : null;
    const page = { ...named, hash: sha256Hex(body), imageEnding, chunks, text, ...(isImage && { image: body }) };
    return { kind: 'page', page };
  }

  return (path, body) =>
    read(path, body).catch((error: unknown) => {
      if (error instanceof PinakesError) return { kind: 'skipped', reason: error.code };
      throw error;
    });
}
