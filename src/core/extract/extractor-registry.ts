// Chooses the extractor of a page: by magic bytes, then media type, then file extension, then by sniffing the text.

import { pinakesError } from '../model/errors.ts';
import { ZIP_DOCUMENT_TYPES, zipDocumentType } from './archive/zip-document-type.ts';
import { charsetOfContentType, decodeBody } from './decode/charset.ts';
import { cleanLine, cleanText } from './decode/clean-text.ts';
import {
  bareMediaType,
  extensionOf,
  fileNameOf,
  looksLikeHtml,
  mayBeDocument,
  sniffBinaryType,
  titleFromUrl,
} from './decode/media-type.ts';
import type { Extraction, Extractor, RawPage } from './extractor.ts';

export interface ExtractorRegistry {
  readonly extractors: readonly Extractor[];
  /** Throws `extract.unsupported` if no extractor matches. */
  choose(page: RawPage): Extractor;
  /** Throws `extract.unsupported` for a format that is loaded with its first file. */
  extract(page: RawPage): Extraction;
  extractAsync(page: RawPage): Promise<Extraction>;
}

/** Types that servers send by default: the extension and the content decide. */
const GENERIC_MEDIA_TYPES = new Set([
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
]);
const HEAD_BYTES = 4096;

export function createExtractorRegistry(provided: readonly Extractor[]): ExtractorRegistry {
  const extractors = provided.map(withCleanMetadata);
  const byMediaType = indexClaims(extractors, 'mediaTypes');
  const byExtension = indexClaims(extractors, 'extensions');
  const byName = new Map(extractors.map((extractor) => [extractor.name, extractor]));
  if (byName.size !== extractors.length) throw pinakesError('internal', { reason: 'two extractors share a name' });

  function choose(page: RawPage): Extractor {
    const chosen = chooseBroad(page);
    if (chosen === undefined) {
      throw pinakesError('extract.unsupported', { mediaType: page.mediaType ?? 'this file type', url: page.url });
    }
    const head = decodeHead(page);
    const narrower = extractors.find(
      ({ narrows }) => narrows !== undefined && narrows.broader === chosen.name && narrows.recognizes(head),
    );
    return narrower ?? chosen;
  }

  function chooseBroad(page: RawPage): Extractor | undefined {
    const declared = bareMediaType(page.mediaType);
    const extension = extensionOf(page.url);
    const sniffed = sniffBinaryType(page.body);
    if (mayBeDocument(page.body)) return byDocument(page, declared, extension);
    if (sniffed !== null) return byImageClaim(declared, extension, sniffed);
    const exact = declared === null || GENERIC_MEDIA_TYPES.has(declared) ? undefined : byMediaType.get(declared);
    if (exact !== undefined) return textOrHtml(exact, page);
    if (declared !== null && !GENERIC_MEDIA_TYPES.has(declared) && !isTextual(declared)) return undefined;
    const claimed = byExtension.get(fileNameOf(page.url).toLowerCase()) ?? byExtension.get(extension);
    if (claimed !== undefined) return textOrHtml(claimed, page);
    return byName.get(sniffedFormat(declared, decodeHead(page)) ?? '');
  }

  /** A PDF, an Office file or a book; one whose directory cannot be read, or that has a password, is what it is declared as. */
  function byDocument({ body }: RawPage, declared: string | null, extension: string): Extractor | undefined {
    if (isOtherText(declared)) return undefined;
    const sniffed = sniffBinaryType(body);
    const mediaType = sniffed === 'application/pdf' ? sniffed : zipDocumentType(body);
    if (mediaType !== null) return byMediaType.get(mediaType);
    const claimed = byMediaType.get(declared ?? '') ?? byExtension.get(extension);
    return claimed?.mediaTypes.some((type) => ZIP_DOCUMENT_TYPES.has(type)) === true ? claimed : undefined;
  }

  /** An image is accepted only if its name or type declares one as well: a page whose bytes are an image is suspicious. */
  function byImageClaim(declared: string | null, extension: string, sniffed: string): Extractor | undefined {
    const image = byMediaType.get(sniffed);
    if (image === undefined) return undefined;
    const declaredImage =
      declared === null || GENERIC_MEDIA_TYPES.has(declared) ? byExtension.get(extension) : byMediaType.get(declared);
    return declaredImage === image ? image : undefined;
  }

  /** Error and login pages are HTML under any name, and even under types such as text/markdown. */
  function textOrHtml(claimed: Extractor, page: RawPage): Extractor {
    const mayBeHtml = claimed.name === 'markdown' || claimed.name === 'plain-text';
    return mayBeHtml && looksLikeHtml(decodeHead(page)) ? (byName.get('html') ?? claimed) : claimed;
  }

  return {
    extractors,
    choose,
    extract: (page) => choose(page).extract(page),
    extractAsync: async (page) => extractWith(choose(page), page),
  };
}

/** Loads the code of the format if this is its first file. */
async function extractWith(extractor: Extractor, page: RawPage): Promise<Extraction> {
  return extractor.extractAsync?.(page) ?? extractor.extract(page);
}

/** The name of the extractor of a text without a telling type or name; null for anything else. */
function sniffedFormat(declared: string | null, head: string): string | null {
  if (head.includes('\0')) return null;
  if (looksLikeHtml(head)) return 'html';
  if (declared?.endsWith('+json') === true || /^\s*[{[]\s*["{[]/.test(head)) return 'json';
  return /^(?:---\n|#{1,6} \S)/.test(head) ? 'markdown' : 'plain-text';
}

/** Metadata comes from attributes, escaped strings and file names as well as from the text, which each extractor cleans. */
function withCleanMetadata(extractor: Extractor): Extractor {
  const { extractAsync } = extractor;
  return {
    ...extractor,
    extract: (page) => cleaned(extractor.extract(page)),
    ...(extractAsync && { extractAsync: async (page: RawPage) => cleaned(await extractAsync(page)) }),
  };
}

function cleaned({ document, metadata }: Extraction): Extraction {
  const title = cleanLine(document.title) || titleFromUrl(document.url);
  const description = cleanLine(document.description ?? '') || null;
  const language = cleanLine(document.language ?? '') || null;
  const outline = document.outline.map((entry) => ({ ...entry, anchor: entry.anchor && cleanText(entry.anchor) }));
  return { document: { ...document, title, description, language, outline }, metadata };
}

function indexClaims(
  extractors: readonly Extractor[],
  kind: 'mediaTypes' | 'extensions',
): ReadonlyMap<string, Extractor> {
  const byClaim = new Map<string, Extractor>();
  for (const extractor of extractors) {
    for (const claim of extractor[kind]) {
      const existing = byClaim.get(claim);
      if (existing !== undefined) {
        throw pinakesError('internal', { reason: `${extractor.name} and ${existing.name} both claim ${claim}` });
      }
      byClaim.set(claim, extractor);
    }
  }
  return byClaim;
}

function decodeHead(page: RawPage): string {
  const label = charsetOfContentType(page.mediaType) ?? page.charsetHint ?? null;
  return decodeBody(page.body.subarray(0, HEAD_BYTES), label);
}

/** Bytes of a document that are declared as a page of text are suspicious. */
function isOtherText(declared: string | null): boolean {
  return declared !== null && !GENERIC_MEDIA_TYPES.has(declared) && isTextual(declared);
}

function isTextual(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType.endsWith('+json') || mediaType.endsWith('+xml');
}
