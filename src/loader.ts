// The public API of `pinakes/loader`: lists of pages as documents, without a library.

export { loadEach, loadPages, type LoadFailure, type LoadOptions, type UrlList } from './compose/load-pages.ts';
export type { LoadResult } from './library/load/load-batch.ts';
export type { LoadedPage, PageMetadata } from './library/load/loaded-page.ts';
export { chunkPage, type LoadedChunk } from './library/load/chunk-page.ts';
export { uuidOf as documentId } from './core/export/records/page-records.ts';
export { PinakesError, type ErrorCode } from './core/model/errors.ts';
