// Turns one file into a page with its chunks, with the extractors, verdicts and chunkers of the server.

import { classifyPage } from '../../src/core/classify/page-kind.ts';
import { pageVerdict } from '../../src/core/classify/page-verdict.ts';
import { chunkPath } from '../../src/core/chunk/chunk-names.ts';
import { bundleLimits, truncations } from '../../src/core/chunk/chunker.ts';
import { createGrammarLoader, type GrammarFiles } from '../../src/core/chunk/code/grammar-loader.ts';
import { createChunkers } from '../../src/core/chunk/chunkers.ts';
import { sourceLines } from '../../src/core/chunk/source-lines.ts';
import type { PageWithImage } from '../../src/core/export/bundle/export-bundle.ts';
import { assetPath } from '../../src/core/export/pages/page-path.ts';
import { portableExtractors } from '../../src/formats/formats.ts';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { fileMediaType } from '../../src/core/files/file-kind.ts';
import { fileUrl, displayPath } from '../../src/core/files/file-url.ts';
import type { OutlineEntry } from '../../src/core/model/document.ts';
import { PinakesError } from '../../src/core/model/errors.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';

export type BrowserPage = PageWithImage & {
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
};

export type ExtractOutcome =
  | { readonly kind: 'page'; readonly page: BrowserPage }
  | { readonly kind: 'skipped'; readonly reason: string };

export interface FileExtractor {
  extract(path: string, body: Uint8Array): Promise<ExtractOutcome>;
  /** All extractors and chunkers with their versions. */
  pipeline(): Promise<string>;
}

export function createFileExtractor(grammars: GrammarFiles): FileExtractor {
  const chunkers = createChunkers(createGrammarLoader(grammars));
  const registry = createExtractorRegistry(portableExtractors);

  async function extract(path: string, body: Uint8Array): Promise<ExtractOutcome> {
    const url = fileUrl(displayPath(path));
    const { document, metadata } = await registry.extractAsync({ url, mediaType: null, body });
    const verdict = pageVerdict({ document, metadata, headers: {} });
    if (verdict.kind === 'not-content') return { kind: 'skipped', reason: `${verdict.reason}: ${verdict.rule}` };
    await chunkers.prepare(document);
    const { chunks, warnings } = chunkers.chunk(document, bundleLimits);
    const { title, description, language, format, text, outline } = document;
    const isImage = chunks[0]?.passageKind === 'image';
    const base = { path: chunkPath(url), title, description, language, mediaType: fileMediaType(format, url) };
    const { pageKind } = classifyPage(document);
    const asset = { assetPath: isImage ? assetPath(base.path) : null, warnings: truncations(warnings) };
    const { lineOrigins } = metadata;
    const lines = lineOrigins === undefined ? {} : { sourceLines: sourceLines(chunks, lineOrigins) };
    const content = { hash: sha256Hex(body), ...asset, chunks, ...lines, text, outline, pageKind };
    return { kind: 'page', page: { ...base, ...content, ...(isImage && { image: body }) } };
  }

  async function readPipeline(): Promise<string> {
    const names = registry.extractors.map(({ name, version }) => `${name}@${version}`);
    return [...names, ...(await chunkers.versions())].join(' ');
  }

  let pipeline: Promise<string> | null = null;
  return {
    pipeline: () => (pipeline ??= readPipeline()),
    extract: (path, body) =>
      extract(path, body).catch((error: unknown) => {
        if (error instanceof PinakesError) return { kind: 'skipped', reason: error.code };
        throw error;
      }),
  };
}
