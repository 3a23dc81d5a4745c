// Documents for the tests of the chunkers.

import type { Document, DocumentFormat } from '../../src/core/model/document.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';

export function documentFixture(
  text: string,
  overrides: Partial<Document> & { readonly format?: DocumentFormat } = {},
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
    ...overrides,
  };
}
