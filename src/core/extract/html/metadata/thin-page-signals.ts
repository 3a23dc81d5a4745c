// Signals in raw markup that a page with little text is not a document: an empty mount point, frames, a redirecting
// script, challenge and consent markers. One pass without a tree, and only for pages with little text.

import type { ThinPageSignals } from '../../extractor.ts';
import { interstitialMarkers, mountIds } from './interstitial-markers.table.ts';

export const NO_SIGNALS: ThinPageSignals = {
  emptyMounts: [],
  frames: 0,
  scriptRedirect: null,
  interstitialMarkers: [],
};

const MAX_MARKUP_CHARS = 200_000;
const MAX_REDIRECT_SCRIPT_CHARS = 600;

export function thinPageSignals(html: string): ThinPageSignals {
  const markup = html.slice(0, MAX_MARKUP_CHARS);
  const emptyMounts: string[] = [];
  let frames = 0;
  let scriptRedirect: string | null = null;
  scanTags(markup, {
    raw(name, text) {
      if (name === 'script') scriptRedirect ??= redirectTarget(text);
    },
    tag(name, tag, isEmpty) {
      if (name === 'frame') frames += 1;
      const id = isEmpty ? attributeOf(tag, 'id') : null;
      if (id !== null && mountIds.has(id)) emptyMounts.push(id);
    },
  });
  const found = interstitialMarkers.filter(({ needle }) => markup.includes(needle)).map(({ name }) => name);
  return { emptyMounts, frames, scriptRedirect, interstitialMarkers: found };
}

/** Only a short script that starts with the redirect counts: an application may set `location` for many reasons. */
function redirectTarget(script: string): string | null {
  if (script.length > MAX_REDIRECT_SCRIPT_CHARS) return null;
  const start = script.replace(/^[\s;]*(?:\/\/[^\n]*\n\s*|<!--[^\n]*\n\s*)*/, '');
  const call =
    /^(?:window\.|document\.|top\.|self\.)?location(?:\.href)?(?:\s*=\s*|\.(?:replace|assign)\(\s*)(["'])([^"']+)\1/;
  return call.exec(start)?.[2] ?? null;
}

interface TagVisitor {
  /** The content of an element that is not page text. */
  raw(name: string, text: string): void;
  /** An opening tag as written; `isEmpty` if a closing tag follows with only white space between. */
  tag(name: string, tag: string, isEmpty: boolean): void;
}

/** Elements whose content is not visible text; it is passed to the visitor as a whole. */
const RAW = new Set(['script', 'style', 'noscript', 'template', 'title', 'textarea', 'svg', 'iframe']);
const MAX_TAG_CHARS = 2000;

/** Visits the tags of raw HTML: one pass, no tree, no recursion, every character examined at most twice. */
function scanTags(html: string, visitor: TagVisitor): void {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) return;
    at = step(html, open, visitor);
  }
}

function step(html: string, open: number, visitor: TagVisitor): number {
  const next = html.charCodeAt(open + 1) | 32;
  if (html.startsWith('<!--', open)) return endOrLength(html.indexOf('-->', open + 4), 3, html);
  if (next < 97 || next > 122) return declarationEnd(html, open);
  const name = tagName(html, open + 1);
  const end = tagEnd(html, open + 1 + name.length);
  const tag = html.slice(open, Math.min(end, open + MAX_TAG_CHARS));
  const isClosed = tag.endsWith('/>');
  if (!RAW.has(name) || isClosed) {
    visitor.tag(name, tag, !isClosed && closesAt(html, end));
    return end;
  }
  const close = closingTag(html, name, end);
  visitor.tag(name, tag, false);
  visitor.raw(name, html.slice(end, close));
  return close;
}

function declarationEnd(html: string, open: number): number {
  const next = html[open + 1];
  return next === '!' || next === '?' || next === '/' ? endOrLength(html.indexOf('>', open), 1, html) : open + 1;
}

function endOrLength(found: number, length: number, html: string): number {
  return found === -1 ? html.length : found + length;
}

function tagName(html: string, start: number): string {
  let end = start;
  while (end < html.length && end - start < 40 && isNamePart(html.charCodeAt(end))) end += 1;
  return html.slice(start, end).toLowerCase();
}

function isNamePart(code: number): boolean {
  return code > 32 && code !== 47 && code !== 62;
}

/** Offset after the `>` that ends the tag; a `>` inside a quoted attribute value does not count. */
function tagEnd(html: string, start: number): number {
  let at = start;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === 62) return at + 1;
    if (code === 61) at = valueEnd(html, at + 1);
    else at += 1;
  }
  return html.length;
}

function valueEnd(html: string, start: number): number {
  let at = start;
  while (at < html.length && html.charCodeAt(at) <= 32) at += 1;
  const quote = html[at];
  if (quote !== '"' && quote !== "'") return at;
  return endOrLength(html.indexOf(quote, at + 1), 1, html);
}

function closingTag(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

function closesAt(html: string, from: number): boolean {
  let at = from;
  while (at < html.length && at - from < 200 && html.charCodeAt(at) <= 32) at += 1;
  return html.startsWith('</', at);
}

/** The value of an attribute in a tag, with entities as written; null if it is absent. */
function attributeOf(tag: string, name: string): string | null {
  const pattern = new RegExp(`[\\s"'/]${name}\\s*=\\s*(?:"([^"]*)"?|'([^']*)'?|([^\\s"'>]+))`, 'i');
  const found = pattern.exec(tag);
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? '');
}
