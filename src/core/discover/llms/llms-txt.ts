// Parses llms.txt: a title, a summary, and sections of links with notes. The specification is short and real files deviate,
// so any list or line with links counts, at any heading level, with relative and bare URLs.

import { cleanLine } from '../../extract/decode/clean-text.ts';
import { pageUrl, parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import { isCodeLine, lineKinds } from '../../markdown/scan-blocks.ts';
import { inlineLinks } from '../markdown/inline-links.ts';

export interface LlmsLink {
  readonly title: string;
  /** Absolute, without fragment. */
  readonly url: PageUrl;
  readonly notes: string | null;
  /** The heading above the link; null before the first one. */
  readonly section: string | null;
  /** The section is named Optional: it may be left out of a short context. */
  readonly optional: boolean;
}

export interface LlmsTxt {
  readonly title: string | null;
  readonly summary: string | null;
  readonly links: readonly LlmsLink[];
  /** Whether there were more links than the limit. */
  readonly truncated: boolean;
}

const MAX_LINKS = 50_000;
const MAX_LINE_CHARS = 20_000;

export function parseLlmsTxt(text: string, file: PageUrl): LlmsTxt {
  const links: LlmsLink[] = [];
  const summary: string[] = [];
  let title: string | null = null;
  let section: string | null = null;
  let optional = false;
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const kinds = lineKinds(lines, { isExcerpt: true });
  for (const [index, line] of lines.split('\n').entries()) {
    if (isCodeLine(kinds[index])) continue;
    const heading = parseHeading(line);
    if (heading !== null && title === null && heading.level === 1) title = heading.text;
    else if (heading !== null) {
      section = heading.text;
      // Deeper headings inside Optional stay optional.
      if (heading.level <= 2) optional = /^optional\b/i.test(heading.text);
    } else if (section === null && line.trimStart().startsWith('>')) summary.push(line.trimStart().slice(1).trim());
    if (links.length < MAX_LINKS) links.push(...parseLinks(line.slice(0, MAX_LINE_CHARS), file, { section, optional }));
  }
  return {
    title,
    summary: summary.length === 0 ? null : summary.join('\n').trim(),
    links: links.slice(0, MAX_LINKS),
    truncated: links.length >= MAX_LINKS,
  };
}

function parseHeading(line: string): { readonly level: number; readonly text: string } | null {
  const match = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
  if (match === null) return null;
  const text = (match[2] ?? '').trim().replace(/[ \t]#+$/, '');
  const [link] = inlineLinks(text);
  return {
    level: match[1]?.length ?? 1,
    text: link !== undefined && link.start === 0 ? link.text : text.replace(/[`*]/g, '').trim(),
  };
}

function parseLinks(line: string, file: PageUrl, context: Pick<LlmsLink, 'section' | 'optional'>): LlmsLink[] {
  const found = inlineLinks(line);
  if (found.length === 0) return bareLinks(line, file, context);
  return found.flatMap(({ text, target, end }, index) => {
    const url = documentUrl(target, file);
    if (url === null) return [];
    // Notes belong to the only link of a line; a sentence with several links does not describe a single one.
    const notes = index === 0 && found.length === 1 ? parseNotes(line.slice(end)) : null;
    return [{ title: text === '' ? url : text, url, notes, ...context }];
  });
}

/** `- https://…` and `- Title: https://…`, as in some files. */
function bareLinks(line: string, file: PageUrl, context: Pick<LlmsLink, 'section' | 'optional'>): LlmsLink[] {
  const match = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:([^:<]{1,200}):\s*)?<?(https?:\/\/[^\s<>]+?)[>.,]?(?:\s+(.*))?$/.exec(
    line,
  );
  const url = match?.[2] === undefined ? null : documentUrl(match[2], file);
  if (match === null || url === null) return [];
  return [{ title: match[1]?.trim() ?? url, url, notes: parseNotes(match[3] ?? ''), ...context }];
}

function documentUrl(target: string, file: PageUrl): PageUrl | null {
  if (target === '' || target.startsWith('#')) return null;
  const url = parsePageUrl(target, file);
  // A file on the web may only name web pages; a local one may also name files.
  return url !== null && (url.startsWith('http') || file.startsWith('file:')) ? url : null;
}

function parseNotes(rest: string): string | null {
  const notes = rest.replace(/^\s*(?:[:–—-]\s*)?/, '').trim();
  return /[\p{L}\p{N}]/u.test(notes) ? notes : null;
}

/** How a site describes itself: one clean line each, or null. The site's own words, so untrusted. */
export interface SiteDescription {
  readonly title: string | null;
  readonly summary: string | null;
}

/** As it is stored with the facts of a version; null if the site has none. */
export function storedDescription({ site }: Readonly<Record<string, unknown>>): SiteDescription | null {
  if (typeof site !== 'object' || site === null) return null;
  const { title, summary } = site as Readonly<Record<string, unknown>>;
  return { title: typeof title === 'string' ? title : null, summary: typeof summary === 'string' ? summary : null };
}

const MAX_DESCRIPTION_CHARS = 200;

export function siteDescription({ title, summary }: Pick<LlmsTxt, 'title' | 'summary'>): SiteDescription {
  return { title: descriptionLine(title), summary: descriptionLine(summary) };
}

function descriptionLine(text: string | null): string | null {
  const characters = Array.from(cleanLine((text ?? '').slice(0, MAX_LINE_CHARS)));
  const line =
    characters.length > MAX_DESCRIPTION_CHARS
      ? `${characters.slice(0, MAX_DESCRIPTION_CHARS - 1).join('')}…`
      : characters.join('');
  return line === '' ? null : line;
}

/** Many sites respond to any URL with some text and status 200: only one with a title or links counts. */
export function isLlmsTxt({ title, links }: LlmsTxt): boolean {
  return title !== null || links.length > 0;
}

/** Where to look, in order: in the folder of the start page, in its parent, at the root. The first valid file wins. */
export function llmsTxtLocations(start: PageUrl): readonly PageUrl[] {
  const { pathname } = new URL(start);
  const isFolder = pathname.endsWith('/');
  // A start page such as `/docs` is treated as a folder.
  const bare = pathname.lastIndexOf('/') === 0 && !isFolder && !pathname.includes('.');
  const paths = [bare ? `${pathname}/llms.txt` : 'llms.txt', ...(isFolder ? ['../llms.txt'] : []), '/llms.txt'];
  return [...new Set(paths.map((path) => pageUrl(path, start)))];
}

export function llmsFullLocation(llmsTxt: PageUrl): PageUrl {
  return pageUrl('llms-full.txt', llmsTxt);
}

export function isLlmsFull(url: PageUrl): boolean {
  return new URL(url).pathname.endsWith('/llms-full.txt');
}
