// Reads llms.txt: a title, a summary, and sections of links with notes. The specification is short and real files bend
// it, so any list or line with links counts, at any heading level, with relative addresses and bare ones.

import { pageUrl, parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import { createFenceTracker } from '../markdown/fence-tracker.ts';
import { inlineLinks } from '../markdown/inline-links.ts';
import { textAnswerProblem, type TextAnswer } from '../text-response.ts';

export interface LlmsLink {
  readonly title: string;
  /** Absolute, without fragment. */
  readonly url: PageUrl;
  readonly notes: string | null;
  /** The heading it stands under; null before the first one. */
  readonly section: string | null;
  /** The section is named Optional: it may be left out where room is short. */
  readonly optional: boolean;
}

export interface LlmsTxt {
  readonly title: string | null;
  readonly summary: string | null;
  readonly links: readonly LlmsLink[];
  /** More links than the limit were there. */
  readonly truncated: boolean;
}

const MAX_LINKS = 50_000;
const MAX_LINE = 20_000;

export function parseLlmsTxt(text: string, file: PageUrl): LlmsTxt {
  const fence = createFenceTracker();
  const links: LlmsLink[] = [];
  const summary: string[] = [];
  let title: string | null = null;
  let section: string | null = null;
  let optional = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (fence.take(line)) continue;
    const heading = headingOf(line);
    if (heading !== null && title === null && heading.level === 1) title = heading.text;
    else if (heading !== null) {
      section = heading.text;
      // Deeper headings inside Optional stay optional.
      if (heading.level <= 2) optional = /^optional\b/i.test(heading.text);
    } else if (section === null && line.trimStart().startsWith('>')) summary.push(line.trimStart().slice(1).trim());
    if (links.length < MAX_LINKS) links.push(...linksOf(line.slice(0, MAX_LINE), file, { section, optional }));
  }
  return {
    title,
    summary: summary.length === 0 ? null : summary.join('\n').trim(),
    links: links.slice(0, MAX_LINKS),
    truncated: links.length >= MAX_LINKS,
  };
}

function headingOf(line: string): { readonly level: number; readonly text: string } | null {
  const match = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
  if (match === null) return null;
  const text = (match[2] ?? '').trim().replace(/[ \t]#+$/, '');
  const [link] = inlineLinks(text);
  return {
    level: match[1]?.length ?? 1,
    text: link !== undefined && link.start === 0 ? link.text : text.replace(/[`*]/g, '').trim(),
  };
}

function linksOf(line: string, file: PageUrl, place: Pick<LlmsLink, 'section' | 'optional'>): LlmsLink[] {
  const found = inlineLinks(line);
  if (found.length === 0) return bareLinks(line, file, place);
  return found.flatMap(({ text, target, end }, index) => {
    const url = documentUrl(target, file);
    if (url === null) return [];
    // Notes belong to the only link of a line; a sentence with several links describes none of them.
    const notes = index === 0 && found.length === 1 ? notesOf(line.slice(end)) : null;
    return [{ title: text === '' ? url : text, url, notes, ...place }];
  });
}

/** `- https://…` and `- Title: https://…`, as some files write. */
function bareLinks(line: string, file: PageUrl, place: Pick<LlmsLink, 'section' | 'optional'>): LlmsLink[] {
  const match = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:([^:<]{1,200}):\s*)?<?(https?:\/\/[^\s<>]+?)[>.,]?(?:\s+(.*))?$/.exec(
    line,
  );
  const url = match?.[2] === undefined ? null : documentUrl(match[2], file);
  if (match === null || url === null) return [];
  return [{ title: match[1]?.trim() ?? url, url, notes: notesOf(match[3] ?? ''), ...place }];
}

function documentUrl(target: string, file: PageUrl): PageUrl | null {
  if (target === '' || target.startsWith('#')) return null;
  const url = parsePageUrl(target, file);
  // A file on the web may name web pages only; a local one may name files as well.
  return url !== null && (url.startsWith('http') || file.startsWith('file:')) ? url : null;
}

function notesOf(rest: string): string | null {
  const notes = rest.replace(/^\s*(?:[:–—-]\s*)?/, '').trim();
  return /[\p{L}\p{N}]/u.test(notes) ? notes : null;
}

export type LlmsTxtVerdict = { readonly valid: true } | { readonly valid: false; readonly why: string };

/** Many sites answer 200 with their front page for any address: only a text with a title or links counts. */
export function llmsTxtVerdict(answer: TextAnswer): LlmsTxtVerdict {
  const problem = textAnswerProblem(answer);
  if (problem !== null) return { valid: false, why: problem };
  const { title, links } = parseLlmsTxt(answer.body, ANYWHERE);
  return title === null && links.length === 0 ? { valid: false, why: 'neither a title nor links' } : { valid: true };
}

const ANYWHERE = pageUrl('https://any.invalid/llms.txt');

/** Where to look, in order: in the start page's own folder, in the one above, at the root. The first valid one wins. */
export function llmsTxtPlaces(start: PageUrl): readonly PageUrl[] {
  const { pathname } = new URL(start);
  const isFolder = pathname.endsWith('/');
  // A start page such as `/docs` is a folder to its readers.
  const bare = pathname.lastIndexOf('/') === 0 && !isFolder && !pathname.includes('.');
  const places = [bare ? `${pathname}/llms.txt` : 'llms.txt', ...(isFolder ? ['../llms.txt'] : []), '/llms.txt'];
  return [...new Set(places.map((place) => pageUrl(place, start)))];
}

export function llmsFullPlace(llmsTxt: PageUrl): PageUrl {
  return pageUrl('llms-full.txt', llmsTxt);
}
