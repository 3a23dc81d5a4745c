// JSON, kept as written so that numbers, key order and duplicate keys are preserved. Invalid JSON is kept as text.

import { pinakesError } from '../../model/errors.ts';
import { parseJson } from '../../text/parse-json.ts';
import { decodePage } from '../decode/charset.ts';
import { cleanLine } from '../decode/clean-text.ts';
import { NO_METADATA, textDocument, type Extraction, type Extractor, type RawPage } from '../extractor.ts';
import { normalizeText } from '../text/plain-text.ts';

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
  const text = normalizeText(decodePage(page));
  const value = parseJson(text);
  return value === undefined
    ? { document: textDocument(page, { format: 'text', text }), metadata: NO_METADATA }
    : validJson(page, text, value);
}

function validJson(page: RawPage, text: string, value: unknown): Extraction {
  const { depth, duplicates } = scanJson(text, MAX_DEPTH);
  if (depth > MAX_DEPTH) {
    throw pinakesError('extract.malformed', { url: page.url, as: `JSON of at most ${MAX_DEPTH} levels` });
  }
  const notes = duplicates.map((path) => `json.duplicate-key ${path}`);
  const title = titleOf(value);
  return {
    document: textDocument(page, { format: 'json', text, ...(title === null ? {} : { title }) }),
    metadata: { ...NO_METADATA, notes },
  };
}

function titleOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const key of ['title', 'name', '$id']) {
    const name: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    if (typeof name === 'string' && cleanLine(name) !== '') return cleanLine(name).slice(0, 300);
  }
  return null;
}

interface JsonScan {
  readonly depth: number;
  /** Paths, such as `$.a.b`, of the first few keys that occur twice in one object. */
  readonly duplicates: readonly string[];
}

interface Level {
  /** Keys seen so far; null inside an array. */
  readonly keys: Set<string> | null;
  readonly name: string;
}

const MAX_DUPLICATES = 10;
const STRUCTURE = /["{}[\],]/g;

/** Nesting depth and duplicate keys of valid JSON, in linear time and without recursion; stops early at `maxDepth`. */
function scanJson(text: string, maxDepth: number): JsonScan {
  const open: Level[] = [];
  const duplicates: string[] = [];
  let deepest = 0;
  let expectsKey = false;
  let lastKey = '$';
  const structure = new RegExp(STRUCTURE);
  for (let match = structure.exec(text); match !== null; match = structure.exec(text)) {
    const token = match[0];
    if (token === '{' || token === '[') {
      open.push({ keys: token === '{' ? new Set() : null, name: lastKey });
      deepest = Math.max(deepest, open.length);
      if (deepest > maxDepth) break;
      expectsKey = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      expectsKey = false;
    } else if (token === ',') {
      expectsKey = open.at(-1)?.keys !== null;
    } else {
      structure.lastIndex = stringEnd(text, match.index);
      if (expectsKey) {
        lastKey = text.slice(match.index + 1, structure.lastIndex - 1);
        recordKey(open, lastKey, duplicates);
      }
      expectsKey = false;
    }
  }
  return { depth: deepest, duplicates };
}

function recordKey(open: readonly Level[], key: string, duplicates: string[]): void {
  const keys = open.at(-1)?.keys;
  if (keys === null || keys === undefined) return;
  if (keys.has(key) && duplicates.length < MAX_DUPLICATES) {
    duplicates.push([...open.map(({ name }) => name), key].join('.').slice(0, 200));
  }
  keys.add(key);
}

/** Offset after the closing quote: the first one that is not escaped by an odd run of backslashes. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
