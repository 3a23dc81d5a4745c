// Which chunker cuts which format: an explicit list, checked when it is made.

import { pinakesError } from '../model/errors.ts';
import type { Document, DocumentFormat } from '../model/document.ts';
import type { Chunker, ChunkLimits, ChunkResult } from './chunker.ts';
import { createCodeChunker } from './code/code-chunker.ts';
import type { GrammarLoader } from './code/grammar-loader.ts';
import { htmlChunker } from './html/html-chunker.ts';
import { imageChunker } from './image-chunker.ts';
import { jsonChunker } from './data/json-chunker.ts';
import { markdownChunker } from './markdown/markdown-chunker.ts';
import { openapiChunker } from './data/openapi-chunker.ts';
import { textChunker } from './text-chunker.ts';

export interface Chunkers {
  /** Loads what this document needs: its grammar, if it is code. Cutting itself waits for nothing. */
  prepare(document: Pick<Document, 'format' | 'codeLanguage'>): Promise<void>;
  chunk(document: Document, limits: ChunkLimits): ChunkResult;
  /** Name and version of the chunker of a format, such as `markdown@1`; part of what tells whether a page is current. */
  versionOf(format: DocumentFormat): string;
  /** Of all chunkers, each once. */
  versions(): readonly string[];
}

export function createChunkers(loader: GrammarLoader): Chunkers {
  const byFormat = listByFormat([
    markdownChunker,
    htmlChunker,
    jsonChunker,
    openapiChunker,
    createCodeChunker(loader),
    textChunker,
    imageChunker,
  ]);
  const chunkerOf = (format: DocumentFormat): Chunker => {
    const chunker = byFormat.get(format);
    if (chunker === undefined) throw pinakesError('internal', { why: `no chunker takes ${format}` });
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

function listByFormat(chunkers: readonly Chunker[]): ReadonlyMap<DocumentFormat, Chunker> {
  const byFormat = new Map<DocumentFormat, Chunker>();
  for (const chunker of chunkers) {
    for (const format of chunker.formats) {
      const other = byFormat.get(format);
      if (other !== undefined) {
        throw pinakesError('internal', { why: `${other.name} and ${chunker.name} both take ${format}` });
      }
      byFormat.set(format, chunker);
    }
  }
  return byFormat;
}
