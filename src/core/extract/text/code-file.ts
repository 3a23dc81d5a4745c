// Source files: the unchanged text and its programming language.

import { decodePage } from '../decode/charset.ts';
import { cleanText } from '../decode/clean-text.ts';
import { bareMediaType, extensionOf, fileNameOf } from '../decode/media-type.ts';
import { NO_METADATA, textDocument, type Extractor, type RawPage } from '../extractor.ts';
import { codeFileNames, codeLanguages, codeMediaTypes } from './code-languages.table.ts';

export const codeFile: Extractor = {
  name: 'code-file',
  version: 1,
  mediaTypes: [...codeMediaTypes.keys()],
  extensions: [...codeLanguages.keys(), ...codeFileNames.keys()],

  extract(page) {
    const text = cleanText(decodePage(page));
    const lines = text.endsWith('\n') ? text : `${text}\n`;
    return {
      document: textDocument(page, { format: 'code', codeLanguage: languageOf(page), text: lines }),
      metadata: NO_METADATA,
    };
  },
};

function languageOf(page: RawPage): string | null {
  const byName = codeFileNames.get(fileNameOf(page.url).toLowerCase()) ?? codeLanguages.get(extensionOf(page.url));
  return byName ?? codeMediaTypes.get(bareMediaType(page.mediaType) ?? '') ?? null;
}
