// The public API of `pinakes/langchain`: a document loader and a retriever for LangChain. Its package, @langchain/core, is an
// optional peer. LangChain's contracts are classes, so these are classes too.

import { BaseDocumentLoader } from '@langchain/core/document_loaders/base';
import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { loadPages, type LoadOptions } from '../compose/load-pages.ts';
import type { PageMetadata } from '../library/load/loaded-page.ts';
import { searchPassages, type PassageMetadata, type RetrieverOptions } from './search-passages.ts';

/** Loads web pages as documents. A page that fails is left out; `onFailure` gets its reason, `failOnError` makes it an error. */
export class PinakesLoader extends BaseDocumentLoader {
  readonly urls: readonly string[];
  readonly options: LoadOptions;

  constructor(urls: readonly string[], options: LoadOptions = {}) {
    super();
    this.urls = urls;
    this.options = options;
  }

  override async load(): Promise<Array<Document<PageMetadata>>> {
    const pages = await loadPages(this.urls, this.options);
    return pages
      .filter((page) => page !== null)
      .map(({ id_: id, text, metadata }) => new Document({ id, pageContent: text, metadata }));
  }
}

export type PinakesRetrieverFields = BaseRetrieverInput & RetrieverOptions;

/** Retrieves passages of a library, best first. */
export class PinakesRetriever extends BaseRetriever<PassageMetadata & Record<string, string | number>> {
  static override lc_name(): string {
    return 'PinakesRetriever';
  }

  override lc_namespace = ['pinakes', 'retrievers'];
  readonly #search: RetrieverOptions;

  constructor({ callbacks, tags, metadata, verbose, ...search }: PinakesRetrieverFields) {
    super({
      ...(callbacks !== undefined && { callbacks }),
      ...(tags !== undefined && { tags }),
      ...(metadata !== undefined && { metadata }),
      ...(verbose !== undefined && { verbose }),
    });
    this.#search = search;
  }

  override async _getRelevantDocuments(
    query: string,
  ): Promise<Array<Document<PassageMetadata & Record<string, string | number>>>> {
    const passages = await searchPassages(query, this.#search);
    return passages.map(({ id, text, metadata }) => new Document({ id, pageContent: text, metadata: { ...metadata } }));
  }
}

export type { LoadOptions } from '../compose/load-pages.ts';
export type { PageMetadata } from '../library/load/loaded-page.ts';
export type { PassageMetadata, RetrieverOptions } from './search-passages.ts';
