// Documents for the chunkers' tests.

import type { Document, DocumentFormat } from '../../src/core/model/document.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';

export function aDocument(
  text: string,
  given: Partial<Document> & { readonly format?: DocumentFormat } = {},
): Document {
  return {
    url: pageUrl('https://docs.example.dev/guide'),
    format: 'markdown',
    title: 'Guide',
    description: null,
    language: null,
    codeLanguage: null,
    canonical: null,
    text,
    outline: [],
    links: [],
    ...given,
  };
}
