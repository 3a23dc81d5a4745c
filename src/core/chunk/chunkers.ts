// The chunker registry: one chunker per document format, checked for conflicts when it is created.

import type { Document, DocumentFormat } from '../model/document.ts';
import { pinakesError } from '../model/errors.ts';
import type { Chunker, ChunkLimits, ChunkResult } from './chunker.ts';
import { createCodeChunker } from './code/code-chunker.ts';
import type { GrammarLoader } from './code/grammar-loader.ts';
import { jsonChunker } from './data/json-chunker.ts';
import { yamlChunker } from './data/yaml-chunker.ts';
import { markdownChunker } from './markdown/markdown-chunker.ts';
import { imageChunker, textChunker } from './text-chunker.ts';

export interface Chunkers {
  /** Loads the grammar of a code document; a no-op for other formats. `chunk` itself is synchronous. */
  prepare(document: Pick<Document, 'format' | 'codeLanguage'>): Promise<void>;
  chunk(document: Document, limits: ChunkLimits): ChunkResult;
  /** Name and version of a format's chunker, such as `markdown@1`; part of a page's pipeline version. */
  versionOf(format: DocumentFormat): string;
  /** Names and versions of all chunkers, without duplicates. */
  versions(): readonly string[];
}

export function createChunkers(loader: GrammarLoader): Chunkers {
  const byFormat = indexByFormat([
    markdownChunker,
    jsonChunker,
    yamlChunker,
    createCodeChunker(loader),
    textChunker,
    imageChunker,
  ]);
  const chunkerOf = (format: DocumentFormat): Chunker => {
    const chunker = byFormat.get(format);
    if (chunker === undefined) throw pinakesError('internal', { why: `no chunker for the format ${format}` });
    return chunker;
  };
  return {
    async prepare({ format, codeLanguage }) {
      if (format === 'code' && codeLanguage !== null) await loader.prepare(codeLanguage);
    },
    chunk: (document, limits) => chunkerOf(document.format).chunk(document, limits),
    versionOf: (format) => versionName(chunkerOf(format)),
    versions: () => [...new Set([...byFormat.values()].map(versionName))],
  };
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
        throw pinakesError('internal', { why: `${existing.name} and ${chunker.name} both claim the format ${format}` });
      }
      byFormat.set(format, chunker);
    }
  }
  return byFormat;
}
