// Names of sources: the rule that each obeys, and the name of a source that was added without one, from its start URL or its path.

import { z } from 'zod';
import { cleanLine } from '../extract/decode/clean-text.ts';
import type { PageUrl } from './page-url.ts';

const MAX_NAME_CHARS = 60;

/**
 * The name or the version of a source as it is stored and shown: one word without markup. A bundle or an agent may have chosen it, and
 * agents read it next to their instructions, so it can neither begin a line nor read like a sentence.
 */
export function sourceLabel(text: string): string {
  const word = cleanLine(text.slice(0, MAX_NAME_CHARS * 4))
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._+@~/:#-]+/gu, '-')
    .replace(/^[-#:]+/, '');
  return Array.from(word).slice(0, MAX_NAME_CHARS).join('').replace(/-+$/, '');
}

/** What a bundle calls its source, or the empty string for what is not a label or has the words of a sentence. */
export function bundledLabel(text: string, maxWords: number): string {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  return text === sourceLabel(text) && words.length <= maxWords ? text : '';
}

/** The name that a bundle gives its source; empty for what refers to another one: a package, or a source with its version. */
export function bundledName(text: string, maxWords: number): string {
  return /@|^[a-z]+:/i.test(text) ? '' : bundledLabel(text, maxWords);
}

/** Inputs, stored as `sourceLabel` returns them. */
export const SourceName = z
  .string()
  .min(1)
  .max(100)
  .overwrite((name) => sourceLabel(name) || 'source');
/** Which sources a query is about: one, or several. */
export const SourceReferences = z.union([
  z.string().min(1).max(400),
  z.array(z.string().min(1).max(400)).min(1).max(1000),
]);
export const VersionName = z.string().max(100).overwrite(sourceLabel);

export function sourceNameFromUrl(start: PageUrl): string {
  const { hostname, pathname, port } = new URL(start);
  const host = hostname.replace(/^www\./, '') + (port === '' ? '' : `-${port}`);
  const path = pathname.replace(/\/[^/]*\.[a-z0-9]+$/i, '').replaceAll('/', '-');
  return `${host}${path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MAX_NAME_CHARS);
}

export function sourceNameFromPath(fileName: string): string {
  const name = fileName
    .replace(/\.(?:zip|tar|tar\.gz|tgz)$/i, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_NAME_CHARS);
  return name === '' ? 'folder' : name;
}

const PACKAGE = /^(?:npm|pypi|cargo|go|gem|composer):(.+)$/;

/** The name of the package whose source this is; null for any other source. */
export function packageOf(source: string): string | null {
  return PACKAGE.exec(source)?.[1] ?? null;
}

/** The last part of a path, of either kind of machine: what others may see of where a folder is. */
export function folderName(path: string): string {
  return (
    path
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .at(-1) ?? path
  );
}

/** Whether the start of a source is a file path instead of a URL. A scheme of one letter is a drive. */
export function isFilePath(start: string): boolean {
  return !/^[a-z][a-z\d+.-]+:/i.test(start);
}
