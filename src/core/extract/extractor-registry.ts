// Picks the reader of a page: by what its first bytes prove, then by media type, then by extension, then by its looks.

import { pinakesError } from '../model/errors.ts';
import { charsetOfContentType, decodeBody } from './decode/charset.ts';
import type { Extraction, Extractor, RawPage } from './extractor.ts';
import { bareMediaType, extensionOf, fileNameOf, looksLikeHtml, provenBinary } from './decode/media-type.ts';

export interface ExtractorRegistry {
  readonly extractors: readonly Extractor[];
  /** Throws `extract.unsupported` when nothing reads the page. */
  choose(page: RawPage): Extractor;
  extract(page: RawPage): Extraction;
}

/** Types that servers send when they do not know better: the extension and the looks decide. */
const VAGUE = new Set(['text/plain', 'application/octet-stream', 'binary/octet-stream', 'application/x-download']);
const HEAD_BYTES = 4096;

export function createExtractorRegistry(extractors: readonly Extractor[]): ExtractorRegistry {
  const byMediaType = claims(extractors, 'mediaTypes');
  const byExtension = claims(extractors, 'extensions');
  const byName = new Map(extractors.map((extractor) => [extractor.name, extractor]));
  if (byName.size !== extractors.length) throw pinakesError('internal', { why: 'two extractors share a name' });

  function choose(page: RawPage): Extractor {
    const chosen = broad(page);
    if (chosen === undefined) {
      throw pinakesError('extract.unsupported', { mediaType: page.mediaType ?? 'this kind of file', url: page.url });
    }
    const head = headOf(page);
    const narrower = extractors.find(
      ({ narrows }) => narrows !== undefined && narrows.broader === chosen.name && narrows.recognises(head),
    );
    return narrower ?? chosen;
  }

  function broad(page: RawPage): Extractor | undefined {
    const declared = bareMediaType(page.mediaType);
    const extension = extensionOf(page.url);
    const proven = provenBinary(page.body);
    if (proven !== null) return byImageClaim(declared, extension, proven);
    const exact = declared === null || VAGUE.has(declared) ? undefined : byMediaType.get(declared);
    if (exact !== undefined) return textOrHtml(exact, page);
    if (declared !== null && !VAGUE.has(declared) && !isTextual(declared)) return undefined;
    const claimed = byExtension.get(fileNameOf(page.url).toLowerCase()) ?? byExtension.get(extension);
    if (claimed !== undefined) return textOrHtml(claimed, page);
    return byLooks(declared, headOf(page));
  }

  /** An image is taken only where name or type said so before its bytes did: a page that turns out one is a trick. */
  function byImageClaim(declared: string | null, extension: string, proven: string): Extractor | undefined {
    const image = byMediaType.get(proven);
    if (image === undefined) return undefined;
    const announced = declared === null || VAGUE.has(declared) ? byExtension.get(extension) : byMediaType.get(declared);
    return announced === image ? image : undefined;
  }

  /** Error pages and logins come as HTML under any name and under types such as text/markdown. */
  function textOrHtml(claimed: Extractor, page: RawPage): Extractor {
    const mayBeHtml = claimed.name === 'markdown' || claimed.name === 'plain-text';
    return mayBeHtml && looksLikeHtml(headOf(page)) ? (byName.get('html') ?? claimed) : claimed;
  }

  function byLooks(declared: string | null, head: string): Extractor | undefined {
    if (head.includes('\0')) return undefined;
    if (looksLikeHtml(head)) return byName.get('html');
    if (declared?.endsWith('+json') === true || /^\s*[{[]\s*["{[]/.test(head)) return byName.get('json');
    if (/^(?:---\n|#{1,6} \S)/.test(head)) return byName.get('markdown');
    return byName.get('plain-text');
  }

  return { extractors, choose, extract: (page) => choose(page).extract(page) };
}

function claims(extractors: readonly Extractor[], kind: 'mediaTypes' | 'extensions'): ReadonlyMap<string, Extractor> {
  const taken = new Map<string, Extractor>();
  for (const extractor of extractors) {
    for (const claim of extractor[kind]) {
      const other = taken.get(claim);
      if (other !== undefined) {
        throw pinakesError('internal', { why: `${extractor.name} and ${other.name} both claim ${claim}` });
      }
      taken.set(claim, extractor);
    }
  }
  return taken;
}

function headOf(page: RawPage): string {
  const label = charsetOfContentType(page.mediaType) ?? page.charsetHint ?? null;
  return decodeBody(page.body.subarray(0, HEAD_BYTES), label);
}

function isTextual(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType.endsWith('+json') || mediaType.endsWith('+xml');
}
