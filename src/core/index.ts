// What programs and the browser import as `pinakes/core`.

export { chunkId, estimateTokens, type Chunk, type ChunkId, type ChunkKind } from './model/chunk.ts';
export type { Document, DocumentFormat, Link, OutlineEntry } from './model/document.ts';
export { PinakesError, errorCatalogue, pinakesError, type ErrorCode } from './model/errors.ts';
export { sha256Hex, type Sha256 } from './model/hash.ts';
export { hostOf, pageUrl, parsePageUrl, urlKey, type PageUrl, type UrlKey } from './model/page-url.ts';
