// Small Office files for tests, written part by part.

import { strToU8, zipSync } from 'fflate';

export type Parts = Readonly<Record<string, string>>;

export function zipOf(parts: Parts): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));
}

/** `body` is WordprocessingML. */
export function docxParts(body: string, more: Parts = {}): Parts {
  return {
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml':
      '<w:styles xmlns:w="w"><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>',
    ...more,
  };
}

export function wordParagraph(text: string, style = ''): string {
  const properties = style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t>${text}</w:t></w:r></w:p>`;
}

export function aDocx(heading: string, text: string): Uint8Array {
  return zipOf(docxParts(wordParagraph(heading, 'H1') + wordParagraph(text)));
}
