// Markdown and MDX, kept as written except for what a reader does not see: front matter is read and dropped, comments,
// module lines and components are removed, headings get anchors, links are collected. Fences are kept byte for byte.

import { isCodeLine, lineKinds } from '../../markdown/scan-blocks.ts';
import { parseDeclaredVersion } from '../../model/declared-version.ts';
import type { PageUrl } from '../../model/page-url.ts';
import { decodePage } from '../decode/charset.ts';
import { cleanLine, cleanText } from '../decode/clean-text.ts';
import { bareMediaType, extensionOf, titleFromUrl } from '../decode/media-type.ts';
import { NO_METADATA, type Extraction, type Extractor, type ExtractedMetadata } from '../extractor.ts';
import { parseLinkDefinition, findLinks, type FoundLink } from './find-links.ts';
import { toAtxHeadings, createOutliner } from './headings.ts';
import { buildLinkList } from './link-list.ts';
import { prepareLines, type ScannedLine } from './prepare-lines.ts';
import { reduceMarkup } from './reduce-markup.ts';
import { splitFrontMatter } from './split-front-matter.ts';

export const markdown: Extractor = {
  name: 'markdown',
  version: 3,
  mediaTypes: ['text/markdown', 'text/x-markdown', 'text/mdx', 'application/markdown'],
  extensions: ['md', 'mdx', 'markdown', 'mdown', 'mkd'],

  extract(page) {
    const isMdx = bareMediaType(page.mediaType) === 'text/mdx' || extensionOf(page.url) === 'mdx';
    return extractMarkdown({ url: page.url, text: decodePage(page), isMdx });
  },
};

export interface MarkdownInput {
  readonly url: PageUrl;
  readonly text: string;
  readonly isMdx: boolean;
}

export function extractMarkdown({ url, text, isMdx }: MarkdownInput): Extraction {
  const { values, body } = splitFrontMatter(cleanText(text));
  const processed = processMarkdown(body, isMdx);
  const { links, dropped } = buildLinkList(processed.links, url);
  const frontMatterText = (...keys: string[]) =>
    cleanLine(keys.map((key) => values.get(key)).find((value) => value !== undefined) ?? '');
  const firstHeading = processed.outline.find(({ level }) => level === 1) ?? processed.outline[0];
  const canonical = frontMatterText('canonical', 'canonical_url', 'canonicalurl');
  return {
    document: {
      url,
      format: 'markdown',
      title: frontMatterText('title') || (firstHeading?.text ?? titleFromUrl(url)),
      description: frontMatterText('description', 'summary', 'excerpt') || null,
      language: frontMatterText('lang', 'language', 'locale') || null,
      codeLanguage: null,
      canonical: canonical === '' ? null : (URL.parse(canonical, url)?.href ?? null),
      text: processed.text,
      outline: processed.outline,
      links,
    },
    metadata: { ...NO_METADATA, linksDropped: dropped, ...statedVersion(frontMatterText('version')) },
  };
}

/** A single number is the revision of the text more often than the version of a product. */
function statedVersion(text: string): Pick<ExtractedMetadata, 'declaredVersion'> {
  const declaredVersion = text.includes('.') ? parseDeclaredVersion(text) : null;
  return declaredVersion === null ? {} : { declaredVersion };
}

interface ProcessedMarkdown {
  readonly text: string;
  readonly outline: ReturnType<typeof createOutliner>['entries'];
  readonly links: readonly FoundLink[];
}

function processMarkdown(body: string, isMdx: boolean): ProcessedMarkdown {
  const lines = collapseBlankLines(splitSegments(prepareLines(body, isMdx)).flatMap(reduceSegment));
  const kinds = lineKinds(lines.join('\n'));
  const outliner = createOutliner();
  const written = lines.map((line, index) => (kinds[index] === 'text' ? outliner.record(line, index + 1) : line));
  const definitions = new Map<string, string>();
  const runs: string[] = [];
  let run: string[] = [];
  for (const [index, line] of written.entries()) {
    if (kinds[index] === 'text') {
      run.push(line);
      const definition = parseLinkDefinition(line);
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
    links: runs.flatMap((paragraph) => findLinks(paragraph, definitions)),
  };
}

interface Segment {
  readonly isCode: boolean;
  readonly lines: string[];
}

/** Alternating segments of code and of everything else, in order. */
function splitSegments(lines: readonly ScannedLine[]): readonly Segment[] {
  const segments: Segment[] = [];
  for (const { text, kind } of lines) {
    const isCode = isCodeLine(kind);
    const last = segments.at(-1);
    if (last?.isCode === isCode) last.lines.push(text);
    else segments.push({ isCode, lines: [text] });
  }
  return segments;
}

function reduceSegment({ isCode, lines }: Segment): readonly ScannedLine[] {
  if (isCode) return lines.map((text) => ({ text, kind: 'code' }));
  const reduced = reduceMarkup(toAtxHeadings(lines).join('\n')).split('\n');
  return reduced.map((line) => {
    const text = line.trimEnd();
    return { text, kind: text === '' ? 'blank' : 'text' };
  });
}

/** Removes blank lines at both ends, and repeated ones outside code. */
function collapseBlankLines(lines: readonly ScannedLine[]): readonly string[] {
  const result: string[] = [];
  let isAfterBlank = true;
  for (const { text, kind } of lines) {
    if (kind !== 'blank' || !isAfterBlank) result.push(text);
    isAfterBlank = kind === 'blank';
  }
  while (result.at(-1)?.trim() === '') result.pop();
  return result;
}
