// The public API of `pinakes/llamaindex`: readers and a retriever for LlamaIndex. Its package, @llamaindex/core, is an optional
// peer. LlamaIndex's contracts are classes, so these are classes too.

import type { QueryBundle } from '@llamaindex/core/query-engine';
import { BaseRetriever } from '@llamaindex/core/retriever';
import { TextNode, type BaseReader, type Document, type NodeWithScore } from '@llamaindex/core/schema';
import { loadPages, type LoadOptions } from '../compose/load-pages.ts';
import { documentOf } from './crawl4ai-reader.ts';
import { searchPassages, type RetrieverOptions } from './search-passages.ts';

/** Reads web pages as documents. A page that fails is left out; `onFailure` gets its reason, `failOnError` makes it an error. */
export class PinakesReader implements BaseReader {
  readonly options: LoadOptions;

  constructor(options: LoadOptions = {}) {
    this.options = options;
  }

  async loadData(urls: readonly string[]): Promise<Document[]> {
    const pages = await loadPages(urls, this.options);
    return pages.filter((page) => page !== null).map(documentOf);
  }
}

/** Retrieves passages of a library, best first. The score of a passage is the reciprocal of its rank. */
export class PinakesRetriever extends BaseRetriever {
  readonly #search: RetrieverOptions;

  constructor(search: RetrieverOptions) {
    super();
    this.#search = search;
  }

  override async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const passages = await searchPassages(textOf(query), this.#search);
    return passages.map(({ id, text, metadata }) => ({
      node: new TextNode({ id_: id, text, metadata: { ...metadata } }),
      score: 1 / metadata.rank,
    }));
  }
}

/** Images and files of a message are not searched for. */
function textOf(query: QueryBundle['query']): string {
  if (typeof query === 'string') return query;
  return query.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
}

export { Crawl4AIReader, type Crawl4AIReaderOptions, type UrlStore } from './crawl4ai-reader.ts';
export type { LoadOptions } from '../compose/load-pages.ts';
export type { PassageMetadata, RetrieverOptions } from './search-passages.ts';
