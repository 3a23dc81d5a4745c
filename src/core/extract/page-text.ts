// The body of a page as text, by the charset that the page, its header or the caller names.

import { charsetOfContentType, decodeBody } from './decode/charset.ts';
import type { RawPage } from './extractor.ts';

export function pageText(page: RawPage): string {
  return decodeBody(page.body, charsetOfContentType(page.mediaType) ?? page.charsetHint ?? null);
}
