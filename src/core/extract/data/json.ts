// JSON kept as it was written, so that numbers, order and duplicate keys stay what they are. What does not parse is
// kept as text.

import type { DocumentFormat } from '../../model/document.ts';
import { pinakesError } from '../../model/errors.ts';
import { cleanLine } from '../decode/clean-text.ts';
import { NO_FACTS, type Extraction, type Extractor, type RawPage } from '../extractor.ts';
import { scanJson } from '../json-scan.ts';
import { titleFromUrl } from '../decode/media-type.ts';
import { pageText } from '../page-text.ts';
import { tidyText } from '../text/plain-text.ts';

const MAX_DEPTH = 512;

export const json: Extractor = {
  name: 'json',
  version: 1,
  mediaTypes: [
    'application/json',
    'text/json',
    'application/ld+json',
    'application/schema+json',
    'application/geo+json',
  ],
  extensions: ['json', 'jsonc', 'json5', 'ndjson', 'jsonl', 'webmanifest'],
  extract: extractJson,
};

export function extractJson(page: RawPage): Extraction {
  const text = tidyText(pageText(page));
  const value = parseJson(text);
  return value === undefined ? jsonDocument(page, text, 'text', []) : validJson(page, text, value);
}

function validJson(page: RawPage, text: string, value: unknown): Extraction {
  const { depth, duplicates } = scanJson(text, MAX_DEPTH);
  if (depth > MAX_DEPTH) {
    throw pinakesError('extract.malformed', { url: page.url, as: `JSON of at most ${MAX_DEPTH} levels` });
  }
  const notes = duplicates.map((path) => `json.duplicate-key ${path}`);
  const extraction = jsonDocument(page, text, 'json', notes);
  const title = nameOf(value);
  return title === null ? extraction : { ...extraction, document: { ...extraction.document, title } };
}

/** `undefined` for text that is not JSON, which no JSON text gives. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const key of ['title', 'name', '$id']) {
    const name: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    if (typeof name === 'string' && cleanLine(name) !== '') return cleanLine(name).slice(0, 300);
  }
  return null;
}

function jsonDocument(page: RawPage, text: string, format: DocumentFormat, notes: readonly string[]): Extraction {
  return {
    document: {
      url: page.url,
      format,
      title: titleFromUrl(page.url),
      description: null,
      language: null,
      codeLanguage: null,
      canonical: null,
      text,
      outline: [],
      links: [],
    },
    facts: { ...NO_FACTS, notes },
  };
}
