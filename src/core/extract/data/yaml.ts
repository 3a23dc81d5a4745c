// YAML, kept as written.

import { decodePage } from '../decode/charset.ts';
import { titleFromUrl } from '../decode/media-type.ts';
import { NO_FACTS, type Extraction, type Extractor, type RawPage } from '../extractor.ts';
import { normalizeText } from '../text/plain-text.ts';

export const yaml: Extractor = {
  name: 'yaml',
  version: 1,
  mediaTypes: ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'],
  extensions: ['yaml', 'yml'],
  extract: extractYaml,
};

export function extractYaml(page: RawPage): Extraction {
  return {
    document: {
      url: page.url,
      format: 'yaml',
      title: titleFromUrl(page.url),
      description: null,
      language: null,
      codeLanguage: null,
      canonical: null,
      text: normalizeText(decodePage(page)),
      outline: [],
      links: [],
    },
    facts: NO_FACTS,
  };
}
