// The chunker registry: one chunker per document format, checked for conflicts when it is created.

import type { Document, DocumentFormat } from '../model/document.ts';
import { pinakesError, PinakesError } from '../model/errors.ts';
import type { Chunker, ChunkLimits, ChunkResult } from './chunker.ts';
import { createCodeChunker } from './code/code-chunker.ts';
import type { GrammarLoader } from './code/grammar-loader.ts';
import { jsonChunker } from './data/json-chunker.ts';
import { yamlChunker } from './data/yaml-chunker.ts';
import { markdownChunker } from './markdown/markdown-chunker.ts';
import { imageChunker, textChunker } from './text-chunker.ts';

export interface Chunkers {
  /**
   * Loads the grammar of a code document; a no-op for other formats. `chunk` itself is synchronous. Code whose grammar is
   * not installed is chunked as text.
   */
  prepare(document: Pick<Document, 'format' | 'codeLanguage'>): Promise<void>;
  chunk(document: Document, limits: ChunkLimits): ChunkResult;
  /**
   * Name and version of the chunker of a prepared document, such as `markdown@1`; part of a page's pipeline version. Code
   * without its grammar has its own version, such as `cut-as-text.python@1`.
   */
  versionOf(document: Pick<Document, 'format' | 'codeLanguage'>): string;
  /** All versions that a document can have now. Code that was cut as text is outdated as soon as its grammar is installed. */
  versions(): Promise<readonly string[]>;
}

export function createChunkers(loader: GrammarLoader): Chunkers {
  const missing = new Set<string>();
  const byFormat = indexByFormat([
    markdownChunker,
    jsonChunker,
    yamlChunker,
    createCodeChunker(loader, (language) => missing.has(language)),
    textChunker,
    imageChunker,
  ]);
  const chunkerOf = (format: DocumentFormat): Chunker => {
    const chunker = byFormat.get(format);
    if (chunker === undefined) throw pinakesError('internal', { reason: `no chunker for the format ${format}` });
    return chunker;
  };
  return {
    async prepare({ format, codeLanguage }) {
      if (format !== 'code' || codeLanguage === null) return;
      try {
        await loader.prepare(codeLanguage);
        missing.delete(codeLanguage);
      } catch (error) {
        if (!(error instanceof PinakesError && error.code === 'chunk.grammar-missing')) throw error;
        missing.add(codeLanguage);
      }
    },
    chunk: (document, limits) => chunkerOf(document.format).chunk(document, limits),
    versionOf: ({ format, codeLanguage }) =>
      format === 'code' && codeLanguage !== null && missing.has(codeLanguage)
        ? cutAsText(codeLanguage)
        : versionName(chunkerOf(format)),
    versions: async () => [
      ...new Set([...byFormat.values()].map(versionName)),
      ...(await loader.missing()).map(cutAsText),
    ],
  };
}

function cutAsText(language: string): string {
  return `cut-as-text.${language}@1`;
}

function versionName({ name, version }: Chunker): string {
  return `${name}@${version}`;
}

function indexByFormat(chunkers: readonly Chunker[]): ReadonlyMap<DocumentFormat, Chunker> {
  const byFormat = new Map<DocumentFormat, Chunker>();
  for (const chunker of chunkers) {
    for (const format of chunker.formats) {
      const existing = byFormat.get(format);
      if (existing !== undefined) {
        throw pinakesError('internal', {
          reason: `${existing.name} and ${chunker.name} both claim the format ${format}`,
        });
      }
      byFormat.set(format, chunker);
    }
  }
  return byFormat;
}
