// Chunks OpenAPI in JSON or YAML: one chunk per operation and per component. References are shown, never followed.

import type { PassageKind } from '../../model/chunk.ts';
import type { Chunker } from '../chunker.ts';
import { finalizeChunks } from '../finalize-chunks.ts';
import { chunkAsText, titleContext } from '../text-chunker.ts';
import { lineCutWarnings } from '../text-units.ts';
import { jsonRoot, jsonStructure } from './json-chunker.ts';
import { coverParent, draftStructuredChunks, type Keys, type Member, type Structure } from './structured-chunks.ts';

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
    const rules = {
      structure: isJson ? jsonStructure : yamlStructure,
      headings: titleContext(document).headings,
      splitsMembers,
      passageKindOf,
      symbolOf,
    };
    const structured = draftStructuredChunks(text, isJson ? jsonRoot(text) : yamlRoot(text), rules, limits);
    if (structured !== null)
      return finalizeChunks(document, structured.drafts, limits, lineCutWarnings(text, structured.cutLines));
    return chunkAsText(document, limits, 'data', [
      { kind: 'cut-as-text', format: 'openapi', because: 'neither a JSON object nor YAML keys' },
    ]);
  },
};

function splitsMembers(keys: Keys): boolean {
  if (keys.length === 0) return true;
  if (ROUTES.has(keys[0])) return keys.length <= 2;
  return COMPONENTS.has(keys[0]) && keys.length <= (keys[0] === 'components' ? 2 : 1);
}

function isOperation(keys: Keys): boolean {
  return ROUTES.has(keys[0]) && keys.length >= 3 && METHODS.has(String(keys[2]).toLowerCase());
}

function passageKindOf(keys: Keys): PassageKind {
  return isOperation(keys) ? 'operation' : 'data';
}

/** `GET /pets/{id}` for an operation, the component's name for a component. */
function symbolOf(keys: Keys): string | null {
  if (isOperation(keys)) return `${String(keys[2]).toUpperCase()} ${keys[1]}`;
  const depth = keys[0] === 'components' ? 3 : 2;
  return COMPONENTS.has(keys[0]) && keys.length >= depth ? String(keys[depth - 1]) : null;
}

const KEY = /^(?:"([^"\\]{1,300})"|'([^']{1,300})'|([^\s"'#&*!|>%@`[\]{},-][^:#]{0,300}?))\s{0,20}:(?=\s|$)/;

/** Finds the keys of block-style YAML by indentation. Values are never parsed, so aliases and tags have no effect. */
const yamlStructure: Structure = {
  members(text, parent) {
    const starts: Array<{ readonly key: string; readonly at: number }> = [];
    const parentIndent = parent.key === '' ? -1 : indentAt(text, parent.at);
    let indent = -1;
    for (const line of linesBelow(text, parent)) {
      if (indent === -1) indent = line.indent;
      if (line.indent <= parentIndent) return null;
      if (line.indent !== indent) continue;
      const key = KEY.exec(text.slice(line.at, Math.min(line.end, line.at + 400)));
      if (key === null) return null;
      starts.push({ key: key[1] ?? key[2] ?? key[3] ?? '', at: line.at });
    }
    return starts.length === 0 ? null : coverParent(text, parent, starts);
  },
};

function yamlRoot(text: string): Member {
  return { key: '', at: 0, start: 0, end: text.length };
}

interface YamlLine {
  readonly at: number;
  readonly end: number;
  readonly indent: number;
}

/** The lines of a member's value that are neither blank, nor a comment, nor a document marker. */
function* linesBelow(text: string, parent: Member): Generator<YamlLine> {
  let from = parent.key === '' ? parent.start : nextLine(text, parent.at);
  while (from < parent.end) {
    const next = nextLine(text, from);
    const end = Math.min(next, parent.end);
    let at = from;
    while (at < end && text.charCodeAt(at) === 0x20) at += 1;
    const code = at < end ? text.charCodeAt(at) : 0x0a;
    const isMarker = at === from && (text.startsWith('---', at) || text.startsWith('%', at));
    if (code !== 0x0a && code !== 0x23 && !isMarker) yield { at, end, indent: at - from };
    from = next;
  }
}

function nextLine(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed === -1 ? text.length : feed + 1;
}

function indentAt(text: string, at: number): number {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  return at - start;
}
