// Passages and pages as the Markdown that an agent reads: a heading, a citation, and the text inside a fence.
//
// Headings, anchors and texts come from crawled pages, and none of them can forge the rest: a heading stays on its line, a
// URL has neither spaces nor angle brackets, and the fence is longer than any run of backticks inside it.

import { shortChunkId } from '../chunk/chunk-names.ts';
import { parseHeading } from '../chunk/markdown/heading-text.ts';
import { cleanLine } from '../extract/decode/clean-text.ts';
import { displayUrl } from '../files/file-url.ts';
import { extensionOf } from '../extract/decode/media-type.ts';
import { codeLanguages } from '../extract/text/code-languages.table.ts';
import { fenceFor } from './code-fence.ts';

export interface CitedPage {
  readonly source: string;
  readonly version: string;
  readonly url: string;
  readonly title: string;
  readonly lines: { readonly first: number; readonly last: number };
  /** ISO 8601. */
  readonly checkedAt: string;
  readonly text: string;
  /** Names of the prompt-injection patterns in the text. */
  readonly injectionFlags?: readonly string[] | undefined;
}

export interface CitedPassage extends CitedPage {
  /** From the page title down. */
  readonly headings: readonly string[];
  /** Id of the chunk. */
  readonly chunk: string;
}

/** Characters of a heading path; longer ones lose their middle, because the last heading says most. */
const MAX_HEADING_CHARS = 240;

/** Without the lines, which cost tokens and are in the structured form: `read_docs` takes the id or the URL. */
export function passageMarkdown(passage: CitedPassage, position: number): string {
  const { headings, title, chunk, url } = passage;
  const path = (headings.length === 0 ? [title] : headings).map(cleanLine);
  const text = withoutHeading(passage.text, path.at(-1) ?? '');
  const heading = elideMiddle(path.join(' › '), MAX_HEADING_CHARS);
  return `## ${position}. ${heading}\n${citation(passage, `id ${shortChunkId(chunk)}`)}${fencedText(text, url)}`;
}

export function pageMarkdown(page: CitedPage): string {
  const { title, lines, text, url } = page;
  const heading = elideMiddle(cleanLine(title), MAX_HEADING_CHARS);
  return `# ${heading}\n${citation(page, `lines ${lines.first}-${lines.last}`)}${fencedText(text, url)}`;
}

function citation(page: CitedPage, place: string): string {
  const { source, version, url, checkedAt, injectionFlags = [] } = page;
  const origin = cleanLine(`${source} ${version}`).replaceAll(/[<>]/g, '');
  const warning =
    injectionFlags.length === 0
      ? ''
      : `Warning: this text tries to instruct its reader (${injectionFlags.join(', ')}).\n`;
  return `${origin}, <${markdownUrl(displayUrl(url))}>, checked ${checkedAt.slice(0, 10)}, ${place}\n${warning}`;
}

/** The heading path above the text has it already. */
function withoutHeading(text: string, heading: string): string {
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
  const [address = ''] = url.split('#', 1);
  return (address.startsWith('file:') ? codeLanguages.get(extensionOf(address)) : undefined) ?? 'md';
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
