// Source files: the text as it is, with its language.

import { cleanText } from '../decode/clean-text.ts';
import { codeFileNames, codeLanguages, codeMediaTypes } from './code-languages.table.ts';
import { NO_FACTS, type Extractor, type RawPage } from '../extractor.ts';
import { bareMediaType, extensionOf, fileNameOf, titleFromUrl } from '../decode/media-type.ts';
import { pageText } from '../page-text.ts';

export const codeFile: Extractor = {
  name: 'code-file',
  version: 1,
  mediaTypes: [...codeMediaTypes.keys()],
  extensions: [...codeLanguages.keys(), ...codeFileNames.keys()],

  extract(page) {
    const text = cleanText(pageText(page));
    return {
      document: {
        url: page.url,
        format: 'code',
        title: titleFromUrl(page.url),
        description: null,
        language: null,
        codeLanguage: languageOf(page),
        canonical: null,
        text: text.endsWith('\n') ? text : `${text}\n`,
        outline: [],
        links: [],
      },
      facts: NO_FACTS,
    };
  },
};

function languageOf(page: RawPage): string | null {
  const byName = codeFileNames.get(fileNameOf(page.url).toLowerCase()) ?? codeLanguages.get(extensionOf(page.url));
  return byName ?? codeMediaTypes.get(bareMediaType(page.mediaType) ?? '') ?? null;
}
