// Answers and pages as the Markdown that an agent reads: for each page a heading, a citation, and the text inside a fence.
//
// Headings, anchors and texts come from crawled pages, and none of them can forge the rest: a heading stays on its line, a
// URL has neither spaces nor angle brackets, and the fence is longer than any run of backticks inside it.

import { shortChunkId } from '../chunk/chunk-names.ts';
import { parseHeading } from '../chunk/markdown/heading-text.ts';
import { cleanLine } from '../extract/decode/clean-text.ts';
import { displayUrl } from '../files/file-url.ts';
import { versionLabel } from '../model/declared-version.ts';
import { dateText } from '../model/provenance.ts';
import { sourceLabel } from '../model/source-name.ts';
import { extensionOf } from '../extract/decode/media-type.ts';
import { codeLanguages } from '../extract/text/code-languages.table.ts';
import { fenceFor } from '../markdown/code-fence.ts';

export interface CitedPage {
  readonly source: string;
  readonly version: string;
  /** Version that the site declares for the documented product; null if none. */
  readonly declaredVersion: string | null;
  readonly url: string;
  readonly title: string;
  readonly lines: { readonly first: number; readonly last: number };
  /** ISO 8601. */
  readonly checkedAt: string;
  readonly isImported?: true | undefined;
  readonly text: string;
  /** Names of the prompt-injection patterns in the text. */
  readonly injectionFlags?: readonly string[] | undefined;
}

/** A section of a page, or a window of it. */
export interface CitedPassage extends CitedPage {
  /** From the page title down. */
  readonly headings: readonly string[];
  /** Id of the chunk. */
  readonly chunkId: string;
  /** Whether the section has more text than this. */
  readonly isPartial: boolean;
}

/** Characters of a heading path; longer ones lose their middle, because the last heading says most. */
export const MAX_PATH_CHARS = 120;
/** The citation of a heading inside a page. */
export const MAX_HEADING_CHARS = 100;

/**
 * Passages of one page that follow each other share a header, which cites the first of them; each further one begins with its
 * own heading and anchor. The first page of a source has its version, site and date as well. Without the lines, which cost
 * tokens and are in the structured form.
 */
export function answerMarkdown(passages: readonly CitedPassage[]): string {
  const cited = new Map<string, CitedPage>();
  return groupByPage(passages)
    .map((ofPage, at) => pageGroupMarkdown(ofPage, at + 1, cited))
    .join('\n');
}

/** Passages of one page that follow each other. */
export function groupByPage<Passage extends CitedPage>(passages: readonly Passage[]): Passage[][] {
  const groups: Passage[][] = [];
  for (const passage of passages) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && pageOf(group[0]) === pageOf(passage)) group.push(passage);
    else groups.push([passage]);
  }
  return groups;
}

function pageOf({ source, version, url }: CitedPage): string {
  return `${source} ${version} ${url.split('#', 1)[0] ?? ''}`;
}

/** `cited` has the last page of each source that was cited before, and gets this one. */
function pageGroupMarkdown(passages: readonly CitedPassage[], position: number, cited: Map<string, CitedPage>): string {
  const [first] = passages;
  if (first === undefined) return '';
  const flags = new Set(passages.flatMap(({ injectionFlags = [] }) => injectionFlags));
  const sections = passages.map(
    (passage, at) => `${at === 0 ? '' : sectionHeading(passage, first)}${sectionText(passage)}`,
  );
  const header = passageHeader(first, position, cited.get(first.source));
  cited.set(first.source, first);
  return `${header}${warning([...flags])}${fencedText(sections.join('\n'), first.url)}`;
}

/** The numbered heading and the citation above the first passage of a page. `before` is the last page of its source that was cited. */
export function passageHeader(passage: CitedPassage, position: number, before?: CitedPage): string {
  const { headings, title, chunkId, url } = passage;
  const path = elideMiddle((headings.length === 0 ? [title] : headings).map(cleanLine).join(' › '), MAX_PATH_CHARS);
  // A section with an anchor is read by its URL.
  const id = url.includes('#') ? '' : ` id ${shortChunkId(chunkId)}`;
  return `## ${position}. ${path}\n${citation(passage, before)}${id}\n`;
}

/** The heading above each further passage of a page: its path without the headings that it shares with the first. */
function sectionHeading({ headings, title, url, chunkId }: CitedPassage, first: CitedPassage): string {
  const differs = headings.findIndex((heading, at) => heading !== first.headings[at]);
  const path = differs === -1 ? headings.slice(-1) : headings.slice(differs);
  const text = elideMiddle((path.length === 0 ? [title] : path).map(cleanLine).join(' › '), MAX_HEADING_CHARS);
  return `### ${text} ${insertMark(url, chunkId)}\n`;
}

/** The headings of a section below the page's title; empty for the text below the title itself. */
export function sectionPath({ headings, title }: Pick<CitedPassage, 'headings' | 'title'>): readonly string[] {
  return headings[0] === title ? headings.slice(1) : headings;
}

function sectionText({ headings, title, text, isPartial }: CitedPassage): string {
  const shown = withoutHeading(text, cleanLine(headings.at(-1) ?? title)).trimEnd();
  return isPartial ? `${shown.replace(/\n…$/, '')}\n${MORE_MARK}` : shown;
}

/** Below a section that has more text; what to read for the rest is in the heading above it. */
export const MORE_MARK = '… more';

function insertMark(url: string, chunkId: string): string {
  const [, anchor] = url.split('#', 2);
  return anchor === undefined ? `id ${shortChunkId(chunkId)}` : `#${markdownUrl(anchor)}`;
}

export function citedPageMarkdown(page: CitedPage): string {
  const { title, lines, text, url, injectionFlags = [] } = page;
  const heading = elideMiddle(cleanLine(title), MAX_PATH_CHARS);
  const lineRange = `${citation(page)} lines ${lines.first}-${lines.last}\n`;
  return `# ${heading}\n${lineRange}${warning(injectionFlags)}${fencedText(text, url)}`;
}

/** Version, site and date are omitted if they equal those of the previous page of the source. */
function citation(page: CitedPage, before?: CitedPage): string {
  const url = markdownUrl(displayUrl(page.url));
  const [origin, path] = splitOrigin(url);
  const isOfSite = before !== undefined && originText(before) === originText(page);
  const hasSite = isOfSite && path !== '' && splitOrigin(markdownUrl(before.url))[0] === origin;
  const date = isOfSite && dateText(before) === dateText(page) ? '' : ` ${dateText(page)}`;
  return `${isOfSite ? sourceLabel(page.source) : originText(page)} <${hasSite ? path : url}>${date}`;
}

/** `fastify 5.2 (declares 5.2.1)`. */
function originText({ source, version, declaredVersion }: CitedPage): string {
  return `${sourceLabel(source)} ${versionLabel(sourceLabel(version), declaredVersion)}`.trimEnd();
}

const SITE = /^(https?:\/\/[^/?#]+)(\/(?!\/).*)$/;

/** Scheme and host, and the rest, which begins with one slash; a URL that has no such rest is not split. */
function splitOrigin(url: string): readonly [string, string] {
  const [, origin = '', path = ''] = SITE.exec(url) ?? [];
  return [origin, path];
}

function warning(injectionFlags: readonly string[]): string {
  if (injectionFlags.length === 0) return '';
  return `Warning: this text tries to instruct its reader (${injectionFlags.join(', ')}).\n`;
}

/** Below a heading that is shown already. */
export function withoutHeading(text: string, heading: string): string {
  const [first = '', ...rest] = text.trimStart().split('\n');
  if (!/^#{1,6}\s/.test(first) || parseHeading(first).text !== heading) return text;
  const below = rest.join('\n').trim();
  return below === '' ? text : below;
}

function fencedText(text: string, url: string): string {
  const fence = fenceFor(text);
  return `${fence}${languageOf(url)}\n${text.trimEnd()}\n${fence}\n`;
}

/** A page of a site is Markdown, whatever its address ends with; a file of a folder may be code. */
function languageOf(url: string): string {
  return codeLanguageOf(url) ?? 'md';
}

function codeLanguageOf(url: string): string | undefined {
  const [address = ''] = url.split('#', 1);
  return address.startsWith('file:') ? codeLanguages.get(extensionOf(address)) : undefined;
}

/** Whether a page is a file of code, whose text has no Markdown. */
export function isSourceFile(url: string): boolean {
  return codeLanguageOf(url) !== undefined;
}

/** Between angle brackets: nothing in an anchor can end it. */
function markdownUrl(url: string): string {
  return cleanLine(url).replaceAll(/[\s<>`\\]/gu, (character) => encodeURIComponent(character));
}

export function elideMiddle(text: string, maxChars: number): string {
  const characters = Array.from(text);
  if (characters.length <= maxChars) return text;
  const half = Math.floor((maxChars - 3) / 2);
  return `${characters.slice(0, half).join('')} … ${characters.slice(-half).join('')}`;
}
