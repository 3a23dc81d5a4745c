// Parses a urlset, a sitemapindex or an RSS feed from chunks of text. A document type is rejected before it can define
// anything; entries before an XML error are kept.

import { SaxesParser } from 'saxes';
import { parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import {
  parseDate,
  MAX_LOCATION_CHARS,
  type SitemapEntry,
  type SitemapOutcome,
  type SitemapStop,
} from './sitemap-entry.ts';

export interface SitemapTextReader {
  /** False once nothing more will be parsed. */
  write(text: string): boolean;
  end(): SitemapOutcome;
}

interface State {
  readonly file: PageUrl;
  readonly maxEntries: number;
  readonly entries: SitemapEntry[];
  skipped: number;
  stopped: SitemapOutcome['stopped'];
  /** Open elements as written, in lower case. */
  readonly open: string[];
  /** Kind of the entries, by the root element; null before the root. */
  kind: SitemapEntry['kind'] | null;
  shape: Shape;
  /** Namespace prefix of the root, including the colon: `image:loc` is not a page. */
  prefix: string;
  location: string;
  lastModified: string;
}

/** Depth and element names of an entry, its URL and its date. */
interface Shape {
  readonly depth: number;
  /** Null: every element at that depth. */
  readonly entry: string | null;
  readonly location: string;
  readonly date: string;
}

const SITEMAP: Shape = { depth: 2, entry: null, location: 'loc', date: 'lastmod' };
const RSS: Shape = { depth: 3, entry: 'item', location: 'link', date: 'pubdate' };

/** Real sitemaps nest four levels deep, with image and video entries. */
const MAX_NESTING = 32;
/** Small slices, so that a stop takes effect before the parser has processed a large chunk. */
const SLICE_CHARS = 16_384;

export function createXmlSitemapReader(file: PageUrl, maxEntries: number): SitemapTextReader {
  const state = createState(file, maxEntries);
  const parser = new SaxesParser();
  parser.on('doctype', () => stop(state, 'doctype', 'a document type is not allowed'));
  parser.on('opentag', ({ name }) => openElement(state, name.toLowerCase()));
  parser.on('closetag', () => closeElement(state));
  parser.on('text', (text) => takeText(state, text));
  parser.on('cdata', (text) => takeText(state, text.replaceAll('&amp;', '&')));
  parser.on('error', ({ message }) => stop(state, 'malformed', message));
  let pending = '';
  const feed = (text: string): void => {
    for (let at = 0; at < text.length && state.stopped === null; at += SLICE_CHARS)
      parser.write(text.slice(at, at + SLICE_CHARS));
  };
  return {
    write(text) {
      const all = pending + text;
      const end = endOfWholeReferences(all);
      pending = all.slice(end);
      feed(escapeLooseAmpersands(all.slice(0, end)));
      return state.stopped === null;
    },
    end() {
      feed(escapeLooseAmpersands(pending));
      if (state.stopped === null) parser.close();
      if (state.kind === null) stop(state, 'not-a-sitemap', 'neither a urlset, a sitemapindex nor an RSS feed');
      return { entries: state.entries, skipped: state.skipped, stopped: state.stopped };
    },
  };
}

/** Many sites write URLs with bare ampersands; strict XML would lose everything after them. */
function escapeLooseAmpersands(text: string): string {
  return text.replace(/&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/g, '&amp;');
}

const MAX_REFERENCE_CHARS = 10;

/** Where to split a chunk so that no character reference is torn. */
function endOfWholeReferences(text: string): number {
  const ampersand = text.lastIndexOf('&');
  const torn = ampersand !== -1 && text.length - ampersand < MAX_REFERENCE_CHARS && !text.includes(';', ampersand);
  return torn ? ampersand : text.length;
}

function createState(file: PageUrl, maxEntries: number): State {
  const empty = { skipped: 0, stopped: null, kind: null, shape: SITEMAP, prefix: '', location: '', lastModified: '' };
  return { ...empty, file, maxEntries, entries: [], open: [] };
}

/** The first reason is kept: later ones are its consequences. */
function stop(state: State, reason: SitemapStop, detail: string): void {
  state.stopped ??= { reason, detail };
}

function openElement(state: State, name: string): void {
  if (state.stopped !== null) return;
  state.open.push(name);
  if (state.open.length > MAX_NESTING) stop(state, 'malformed', `elements are nested deeper than ${MAX_NESTING}`);
  if (state.open.length === 1) openRoot(state, name);
}

function openRoot(state: State, name: string): void {
  const root = name.slice(name.indexOf(':') + 1);
  state.prefix = name.slice(0, name.length - root.length);
  if (root === 'urlset') state.kind = 'page';
  else if (root === 'sitemapindex') state.kind = 'sitemap';
  else if (root === 'rss') {
    state.kind = 'page';
    state.shape = RSS;
  } else stop(state, 'not-a-sitemap', `the root element is ${root.slice(0, 60)}`);
}

/** Text counts in an entry, as its URL or its date. */
function takeText(state: State, text: string): void {
  const { depth, location, date } = state.shape;
  if (state.stopped !== null || state.open.length !== depth + 1) return;
  const name = state.open[depth];
  if (name === `${state.prefix}${location}` && state.location.length <= MAX_LOCATION_CHARS) state.location += text;
  else if (name === `${state.prefix}${date}` && state.lastModified.length <= 64) state.lastModified += text;
}

function closeElement(state: State): void {
  if (state.stopped !== null) return;
  const closed = state.open.pop();
  const { depth, entry } = state.shape;
  if (state.open.length !== depth - 1 || (entry !== null && closed !== entry)) return;
  const location = state.location.trim();
  const url = location === '' || location.length > MAX_LOCATION_CHARS ? null : parsePageUrl(location, state.file);
  if (url === null || state.kind === null || !url.startsWith('http')) state.skipped += 1;
  else if (state.entries.length >= state.maxEntries) stop(state, 'too-many-entries', `more than ${state.maxEntries}`);
  else state.entries.push({ kind: state.kind, url, lastModified: parseDate(state.lastModified) });
  state.location = '';
  state.lastModified = '';
}
