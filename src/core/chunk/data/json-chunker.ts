// Chunks JSON: one chunk per top-level key, array elements in groups of fifty.

import type { Chunker } from '../chunker.ts';
import { chunkStructure, coverParent, type Member, type Structure } from './structured-chunks.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;

export const jsonChunker: Chunker = {
  name: 'json',
  version: 1,
  formats: ['json'],
  chunk: (document, limits) => chunkStructure(document, limits, jsonStructure(document.text)),
};

/**
 * Finds the members of an object or array without parsing their values: one pass, a depth counter, no recursion. One level
 * at a time, so what is not cut is never parsed.
 */
function jsonStructure(text: string): Structure {
  return {
    root: { key: '', at: skipSpace(text, 0), start: 0, end: text.length },
    members(parent) {
      const open = valueStart(text, parent);
      const bracket = text.charCodeAt(open);
      if (bracket !== 0x7b && bracket !== 0x5b) return null;
      const starts = bracket === 0x7b ? objectMembers(text, open, parent.end) : arrayMembers(text, open, parent.end);
      return starts === null || starts.length === 0 ? null : coverParent(text, parent, starts);
    },
  };
}

function valueStart(text: string, { key, at }: Member): number {
  if (typeof key === 'number' || text.charCodeAt(at) !== QUOTE) return at;
  const colon = skipSpace(text, stringEnd(text, at));
  return text.charCodeAt(colon) === COLON ? skipSpace(text, colon + 1) : at;
}

interface Start {
  readonly key: string | number;
  readonly at: number;
}

function objectMembers(text: string, open: number, limit: number): Start[] | null {
  const starts: Start[] = [];
  let at = skipSpace(text, open + 1);
  while (at < limit && text.charCodeAt(at) !== 0x7d) {
    if (text.charCodeAt(at) !== QUOTE) return null;
    const keyEnd = stringEnd(text, at);
    const colon = skipSpace(text, keyEnd);
    if (text.charCodeAt(colon) !== COLON) return null;
    starts.push({ key: keyText(text.slice(at, keyEnd)), at });
    const end = skipSpace(text, valueEnd(text, skipSpace(text, colon + 1), limit));
    if (text.charCodeAt(end) !== COMMA) return text.charCodeAt(end) === 0x7d ? starts : null;
    at = skipSpace(text, end + 1);
  }
  return at < limit ? starts : null;
}

function arrayMembers(text: string, open: number, limit: number): Start[] | null {
  const starts: Start[] = [];
  let at = skipSpace(text, open + 1);
  while (at < limit && text.charCodeAt(at) !== 0x5d) {
    starts.push({ key: starts.length, at });
    const end = skipSpace(text, valueEnd(text, at, limit));
    if (text.charCodeAt(end) !== COMMA) return text.charCodeAt(end) === 0x5d ? starts : null;
    at = skipSpace(text, end + 1);
  }
  return at < limit ? starts : null;
}

/** Offset of the comma or bracket that ends the value. */
function valueEnd(text: string, start: number, limit: number): number {
  let depth = 0;
  let at = start;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    if (depth < 0 || (depth === 0 && code === COMMA)) return at;
    at += 1;
  }
  return limit;
}

/** Offset after the closing quote; the end of the text if there is none. */
function stringEnd(text: string, quote: number): number {
  let at = quote + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

function keyText(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1); // an invalid escape sequence
  }
}
