// What a fetched and parsed page is settled as: unchanged where it says what is known of it, else its new content.

import { arrivalOf } from './arrival.ts';
import { contentHashOf } from './content-hash.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { FetchOutcome } from '../fetch/port.ts';
import type { ParsedPage } from '../parse/port.ts';
import type { Claim, Outcome } from '../store/port.ts';
import { madeByOf } from './made-by.ts';
import { storedBody } from '../crawl/page/stored-page.ts';

export function contentOutcome(
  claim: Claim,
  fetched: Extract<FetchOutcome, { kind: 'fetched' }>,
  parsed: ParsedPage & { readonly canonical: PageUrl | null },
): Outcome {
  const { document, canonical, twinHash } = parsed;
  const madeBy = madeByOf(parsed);
  const { etag, lastModified } = fetched;
  const contentHash = contentHashOf(document.text);
  if (claim.known?.contentHash === contentHash && claim.known.madeBy === madeBy)
    return { kind: 'unchanged', etag, lastModified };
  return {
    kind: 'indexed',
    page: {
      title: document.title,
      description: document.description,
      language: document.language,
      mediaType: fetched.mediaType ?? 'application/octet-stream',
      etag,
      lastModified,
      contentHash,
      twinHash,
      canonical,
      text: document.text,
      outline: document.outline,
      madeBy,
      facts: {
        kind: parsed.kind.kind,
        confidence: parsed.kind.confidence,
        totalMs: Math.round(fetched.totalMs),
      },
      arrival: arrivalOf(fetched, parsed.body.byteLength),
      leadsTo: parsed.leadsTo,
      body: storedBody(parsed.body),
    },
    chunks: parsed.chunks,
  };
}
