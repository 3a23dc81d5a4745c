// YAML, kept as written.

import { decodePage } from '../decode/charset.ts';
import { NO_METADATA, textDocument, type Extraction, type Extractor, type RawPage } from '../extractor.ts';
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
    document: textDocument(page, { format: 'yaml', text: normalizeText(decodePage(page)) }),
    metadata: NO_METADATA,
  };
}
