// The labels of chunks and files in the lists of a bundle. Foreign text becomes one safe line.

import { splitSymbols } from '../../model/document.ts';
import { cleanLine } from '../../extract/decode/clean-text.ts';
import type { BundleChunk, BundlePage } from './bundle.ts';

const MAX_LABEL_CHARS = 60;
/** A class with its first methods. */
const MAX_LABEL_NAMES = 12;

/** In few tokens: the innermost name that a chunk has, else its slug. */
export function chunkLabel({ symbol, jsonPath, headings, slug }: BundleChunk): string {
  return oneLine(symbol ?? jsonPath ?? headings.at(-1) ?? '', MAX_LABEL_CHARS) || slug;
}

export function fileLabel(page: BundlePage): string {
  return (
    oneLine(page.title, MAX_LABEL_CHARS) || oneLine(page.path.slice(page.path.lastIndexOf('/') + 1), MAX_LABEL_CHARS)
  );
}

/** With its context: a symbol as code, headings from the outermost down, else the slug. */
export function outlineLabel(chunk: BundleChunk): string {
  const { symbol, jsonPath, headings, passageKind, slug } = chunk;
  if (symbol !== null && (passageKind === 'code' || jsonPath !== null)) {
    const names = passageKind === 'code' ? splitSymbols(symbol) : [symbol];
    const shown = names.slice(0, MAX_LABEL_NAMES).map((name) => inlineCode(functionName(name, passageKind)));
    return [...shown, ...(names.length > MAX_LABEL_NAMES ? ['…'] : [])].join(', ');
  }
  if (jsonPath !== null) return inlineCode(jsonPath);
  return headings.map((heading) => oneLine(heading, 80)).join(' > ') || slug;
}

/** Classes and types begin with a capital letter in most languages; what begins with a small one can be called. */
function functionName(symbol: string, passageKind: BundleChunk['passageKind']): string {
  const isFunction =
    passageKind === 'code' && /^(?:[\p{L}_$][\p{L}\p{N}_$]*[.#:]+)*[\p{Ll}_$][\p{L}\p{N}_$]*$/u.test(symbol);
  return isFunction ? `${symbol}()` : symbol;
}

function inlineCode(text: string): string {
  return `\`${oneLine(text.replaceAll('`', "'"), 120)}\``;
}

/** Makes foreign text safe for a single line: a title must not end the line, start a list or change the text direction. */
export function oneLine(text: string, maxChars = 200): string {
  const line = cleanLine(text.slice(0, maxChars * 4)).replaceAll('\t', ' ');
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).trimEnd()}…`;
}
