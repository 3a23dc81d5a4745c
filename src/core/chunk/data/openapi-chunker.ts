// OpenAPI, in JSON or YAML: a chunk for each operation and each component. References are shown, never followed.

import type { ChunkKind } from '../../model/chunk.ts';
import type { Chunker } from '../chunker.ts';
import { jsonRoot, jsonStructure } from '../json-structure.ts';
import { namePieces } from '../finalize-chunks.ts';
import { piecesOfStructure, type Keys } from './structured-chunks.ts';
import { chunkAsText, titlePlace } from '../text-chunker.ts';
import { lineCutWarnings } from '../text-units.ts';
import { yamlRoot, yamlStructure } from '../yaml-structure.ts';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);
const ROUTES = new Set<string | number | undefined>(['paths', 'webhooks']);
const COMPONENTS = new Set<string | number | undefined>(['components', 'definitions', 'parameters', 'responses']);

export const openapiChunker: Chunker = {
  name: 'openapi',
  version: 1,
  formats: ['openapi'],

  chunk(document, limits) {
    const { text } = document;
    const isJson = text.trimStart().startsWith('{');
    const plan = {
      structure: isJson ? jsonStructure : yamlStructure,
      headings: titlePlace(document).headings,
      eachOf,
      kindOf,
      symbolOf,
    };
    const found = piecesOfStructure(text, isJson ? jsonRoot(text) : yamlRoot(text), plan, limits);
    if (found !== null) return namePieces(document, found.pieces, limits, lineCutWarnings(text, found.cutLines));
    return chunkAsText(document, limits, 'data', [
      { kind: 'cut-as-text', format: 'openapi', because: 'neither a JSON object nor YAML keys' },
    ]);
  },
};

function eachOf(keys: Keys): boolean {
  if (keys.length === 0) return true;
  if (ROUTES.has(keys[0])) return keys.length <= 2;
  return COMPONENTS.has(keys[0]) && keys.length <= (keys[0] === 'components' ? 2 : 1);
}

function isOperation(keys: Keys): boolean {
  return ROUTES.has(keys[0]) && keys.length >= 3 && METHODS.has(String(keys[2]).toLowerCase());
}

function kindOf(keys: Keys): ChunkKind {
  return isOperation(keys) ? 'operation' : 'data';
}

/** `GET /pets/{id}` for an operation, the component's name for a component. */
function symbolOf(keys: Keys): string | null {
  if (isOperation(keys)) return `${String(keys[2]).toUpperCase()} ${keys[1]}`;
  const depth = keys[0] === 'components' ? 3 : 2;
  return COMPONENTS.has(keys[0]) && keys.length >= depth ? String(keys[depth - 1]) : null;
}
