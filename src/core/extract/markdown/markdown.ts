// Markdown and MDX, kept as they are but for what no reader sees: front matter is read and dropped, comments, module
// lines and components go, headings get their anchors, links are collected. Fences pass byte for byte.

import type { PageUrl } from '../../model/page-url.ts';
import { cleanLine, cleanText } from '../decode/clean-text.ts';
import { pageText } from '../page-text.ts';
import { NO_FACTS, type Extraction, type Extractor } from '../extractor.ts';
import { splitFrontMatter } from './split-front-matter.ts';
import { linkList } from './link-list.ts';
import { atxHeadings, createOutliner } from './headings.ts';
import { prepareLines, type ScannedLine } from './prepare-lines.ts';
import { definitionOf, linksIn, type FoundLink } from './find-links.ts';
import { reduceMarkup } from './reduce-markup.ts';
import { scanLines } from './scan-lines.ts';
import { bareMediaType, extensionOf, titleFromUrl } from '../decode/media-type.ts';

export const markdown: Extractor = {
  name: 'markdown',
  version: 1,
  mediaTypes: ['text/markdown', 'text/x-markdown', 'text/mdx', 'application/markdown'],
  extensions: ['md', 'mdx', 'markdown', 'mdown', 'mkd'],

  extract(page) {
    const isMdx = bareMediaType(page.mediaType) === 'text/mdx' || extensionOf(page.url) === 'mdx';
    return extractMarkdown({ url: page.url, text: pageText(page), isMdx });
  },
};

export interface MarkdownInput {
  readonly url: PageUrl;
  readonly text: string;
  readonly isMdx: boolean;
}

export function extractMarkdown({ url, text, isMdx }: MarkdownInput): Extraction {
  const { values, body } = splitFrontMatter(cleanText(text));
  const read = readMarkdown(body, isMdx);
  const { links, dropped } = linkList(read.links, url);
  const said = (...keys: string[]) =>
    cleanLine(keys.map((key) => values.get(key)).find((value) => value !== undefined) ?? '');
  const firstHeading = read.outline.find(({ level }) => level === 1) ?? read.outline[0];
  const canonical = said('canonical', 'canonical_url', 'canonicalurl');
  return {
    document: {
      url,
      format: 'markdown',
      title: said('title') || (firstHeading?.text ?? titleFromUrl(url)),
      description: said('description', 'summary', 'excerpt') || null,
      language: said('lang', 'language', 'locale') || null,
      codeLanguage: null,
      canonical: canonical === '' ? null : (URL.parse(canonical, url)?.href ?? null),
      text: read.text,
      outline: read.outline,
      links,
    },
    facts: { ...NO_FACTS, linksDropped: dropped },
  };
}

interface ReadMarkdown {
  readonly text: string;
  readonly outline: ReturnType<typeof createOutliner>['entries'];
  readonly links: readonly FoundLink[];
}

function readMarkdown(body: string, isMdx: boolean): ReadMarkdown {
  const lines = tidied(segmentsOf(prepareLines(body, isMdx)).flatMap(reducedSegment));
  const kinds = scanLines(lines);
  const outliner = createOutliner();
  const written = lines.map((line, index) => (kinds[index] === 'text' ? outliner.note(line, index + 1) : line));
  const definitions = new Map<string, string>();
  const runs: string[] = [];
  let run: string[] = [];
  for (const [index, line] of written.entries()) {
    if (kinds[index] === 'text') {
      run.push(line);
      const definition = definitionOf(line);
      if (definition !== null && !definitions.has(definition[0])) definitions.set(...definition);
    } else if (run.length > 0) {
      runs.push(run.join('\n'));
      run = [];
    }
  }
  runs.push(run.join('\n'));
  return {
    text: `${written.join('\n')}\n`,
    outline: outliner.entries,
    links: runs.flatMap((paragraph) => linksIn(paragraph, definitions)),
  };
}

interface Segment {
  readonly isCode: boolean;
  readonly lines: string[];
}

/** Stretches of code and of everything else, in order. */
function segmentsOf(lines: readonly ScannedLine[]): readonly Segment[] {
  const segments: Segment[] = [];
  for (const { text, kind } of lines) {
    const isCode = kind === 'code' || kind === 'fence';
    const last = segments.at(-1);
    if (last?.isCode === isCode) last.lines.push(text);
    else segments.push({ isCode, lines: [text] });
  }
  return segments;
}

function reducedSegment({ isCode, lines }: Segment): readonly ScannedLine[] {
  if (isCode) return lines.map((text) => ({ text, kind: 'code' }));
  const reduced = reduceMarkup(atxHeadings(lines).join('\n')).split('\n');
  return reduced.map((line) => {
    const text = line.trimEnd();
    return { text, kind: text === '' ? 'blank' : 'text' };
  });
}

/** No blank line at either end, never two in a row outside code. */
function tidied(lines: readonly ScannedLine[]): readonly string[] {
  const result: string[] = [];
  let isAfterBlank = true;
  for (const { text, kind } of lines) {
    if (kind !== 'blank' || !isAfterBlank) result.push(text);
    isAfterBlank = kind === 'blank';
  }
  while (result.at(-1)?.trim() === '') result.pop();
  return result;
}
