// Classifies the kind of a page: to be read (article), to be looked up (reference), to link to others (hub), to list
// everything (index), to show source code (source), or other. An estimate with a confidence, from the URL and the document only.

import { isCodeLine, lineKinds } from '../markdown/scan-blocks.ts';
import type { Document, PageKindName } from '../model/document.ts';
import { isSourceView } from './generated-pages.ts';
import { indexTitles, kindsBySegment, type ScoredKind } from './page-kind.table.ts';
import { compareText } from '../text/compare-text.ts';

export interface PageClassification {
  readonly pageKind: PageKindName;
  /** From 0 to 1: how far the evidence for this kind outweighs the rest. */
  readonly confidence: number;
}

interface Shape {
  readonly words: number;
  readonly links: number;
  /** Share of the words that are in links. */
  readonly linkShare: number;
  /** Share of the lines that are code. */
  readonly codeShare: number;
  /** Share of the headings that are identifiers. */
  readonly nameShare: number;
  readonly headings: number;
  /** Paragraphs of at least 25 words outside lists and tables. */
  readonly paragraphs: number;
}

/** `smtp.8`, `git-add.1`: file names of man2html and similar tools. */
const MAN_PAGE = /\.[1-9][a-z]?$/;
/** `struct.Vec`, `fn.swap`, `class_foo`, `classEigen_1_1Map`: file names of API reference generators. */
const NAMED_FILE =
  /^(?:(?:struct|fn|enum|trait|macro|type|union|constant|primitive|class|interface|namespace|module|func|method)[._-]|(?:class|struct|union|namespace|group__)\w+__?\d*)/;
/** `QString Class`, `Struct std::vec::Vec`, `CMAKE_AR`, `pandas.DataFrame.loc`. */
const NAMED_TITLE =
  /^(?:struct|enum|trait|class|function|macro|module|interface|package|method|primitive type|namespace)\s\S+|\s(?:class|struct|module|function|enum|interface|trait|method|namespace|template|member)(?: template)?(?: reference)?$|^[\w$]+(?:(?:\.|::|_)[\w$]+)+(?:\(.*\))?$/i;
const MAN_SECTIONS = new Set(['name', 'synopsis', 'description', 'options']);

type Scores = Record<ScoredKind, number>;

/** What the classification looks at. */
export type ClassifiedDocument = Pick<Document, 'url' | 'format' | 'title' | 'text' | 'outline' | 'links'>;

export function classifyPage(document: ClassifiedDocument): PageClassification {
  const fixed = classifyFormat(document);
  if (fixed !== null) return fixed;
  if (isSourceView(document)) return { pageKind: 'source', confidence: 1 };
  const shape = measureShape(document);
  const scores: Scores = { article: 0, reference: 0, hub: 0, index: 0, other: 0.2 };
  scoreUrl(document, scores);
  scoreNames(document, scores);
  scoreShape(shape, scores);
  const ranked = (Object.keys(scores) as ScoredKind[]).sort((a, b) => scores[b] - scores[a] || compareText(a, b));
  const [best = 'other', second = 'other'] = ranked;
  const margin = scores[best] - scores[second];
  return { pageKind: best, confidence: Math.round(Math.min(1, 0.35 + margin / 4) * 100) / 100 };
}

/** Markdown that a package reader wrote has the URL of the code that it describes. */
const DESCRIBED_CODE = /\.(?:d\.[mc]?ts|pyi?|rs|go)$/;

function classifyFormat({ format, url }: ClassifiedDocument): PageClassification | null {
  if (format === 'markdown' && DESCRIBED_CODE.test(url)) return { pageKind: 'reference', confidence: 1 };
  if (format === 'code' || format === 'json' || format === 'yaml') return { pageKind: 'reference', confidence: 0.6 };
  return format === 'image' ? { pageKind: 'other', confidence: 1 } : null;
}

function scoreUrl({ url }: ClassifiedDocument, scores: Scores): void {
  const segments = new URL(url).pathname
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
  const last = (segments.at(-1) ?? '').replace(/\.[a-z0-9]+$/, '');
  for (const segment of segments.slice(0, -1)) {
    const kind = kindsBySegment.get(segment);
    if (kind !== undefined) scores[kind] += kind === 'reference' ? 2 : 1;
  }
  const own = kindsBySegment.get(last);
  if (own !== undefined) scores[own] += own === 'index' ? 2 : 1;
  scoreFileName(last, scores);
}

function scoreFileName(name: string, scores: Scores): void {
  if (MAN_PAGE.test(name)) scores.reference += 3;
  if (NAMED_FILE.test(name)) scores.reference += 2;
  if (name.startsWith('genindex') || name.startsWith('index-')) scores.index += 2;
  if (name === '' || name === 'index') scores.hub += 0.5;
}

function scoreNames({ title, outline }: ClassifiedDocument, scores: Scores): void {
  const firstHeading = outline[0]?.text ?? '';
  const sections = outline.filter(({ text }) => MAN_SECTIONS.has(text.toLowerCase())).length;
  if (sections >= 3) scores.reference += 3;
  if ([bareTitle(title), firstHeading].some((name) => NAMED_TITLE.test(name))) scores.reference += 1.5;
  const names = [title, firstHeading].map((name) => name.toLowerCase().trim());
  if (names.some((name) => indexTitles.some((pattern) => pattern.test(name)))) scores.index += 1.5;
}

/** The title without the name of the site after a dash or a bar. */
function bareTitle(title: string): string {
  return (
    title
      .slice(0, 200)
      .split(/ [-—–|·] /, 1)[0]
      ?.trim() ?? ''
  );
}

function scoreShape(shape: Shape, scores: Scores): void {
  const { words, links, linkShare, nameShare, headings } = shape;
  if (links >= 8 && linkShare > 0.4) scores.hub += 1.5 + linkShare * 2;
  if (links >= 300 && linkShare > 0.5) scores.index += 2 + linkShare;
  if (headings >= 3 && nameShare > 0.4) scores.reference += 1.5 + nameShare * 2;
  if (headings >= 2 && nameShare > 0.8) scores.reference += 0.5;
  if (words < 25) scores.other += 1;
  if (linkShare < 0.35) scoreProse(shape, scores);
}

function scoreProse({ paragraphs, codeShare }: Shape, scores: Scores): void {
  scores.article += Math.min(1.5, paragraphs / 3);
  if (paragraphs >= 3 && codeShare > 0.05 && codeShare < 0.6) scores.article += 0.5;
  if (codeShare > 0.5 && paragraphs < 3) scores.reference += 0.5;
}

/** A heading such as `readFile()`, `--flag`, `a.b.c`, `Foo`, `GET /x` or the sections of a man page. */
function isName(heading: string): boolean {
  if (
    /^(?:name|synopsis|options|parameters|returns|arguments|description|see also|exit status|attributes|methods|fields)$/i.test(
      heading,
    )
  ) {
    return true;
  }
  if (
    /^(?:class|function|method|struct|enum|trait|interface|module|macro|type|event|property|new|static|const)\b.{0,60}$/i.test(
      heading,
    )
  ) {
    return /[A-Z_.(:]/.test(heading.slice(1));
  }
  return /^(?:-{1,2}[\w-]+|[\w$@/.:#-]+\(.*\)|[\w$]+(?:(?:\.|::|->|_|-)[\w$]+)+|[a-z]+[A-Z]\w*|(?:GET|POST|PUT|PATCH|DELETE) \/\S*)$/.test(
    heading.slice(0, 200),
  );
}

function measureShape({ text, links, outline }: ClassifiedDocument): Shape {
  const measured = text.slice(0, 400_000);
  const lines = measured.split('\n');
  const kinds = lineKinds(measured);
  let codeLines = 0;
  let words = 0;
  let paragraphs = 0;
  for (const [at, line] of lines.entries()) {
    if (isCodeLine(kinds[at])) {
      codeLines += 1;
      continue;
    }
    const count = wordCount(line);
    words += count;
    if (count >= 25 && !/^\s*(?:[-*+|>#]|\d+\.)/.test(line)) paragraphs += 1;
  }
  const inContent = links.filter((link) => link.inContent);
  const linkWords = inContent.reduce((sum, link) => sum + wordCount(link.text), 0);
  const named = outline.filter((entry) => isName(entry.text)).length;
  return {
    words,
    links: inContent.length,
    linkShare: words === 0 ? 0 : Math.min(1, linkWords / words),
    codeShare: lines.length === 0 ? 0 : codeLines / lines.length,
    nameShare: outline.length === 0 ? 0 : named / outline.length,
    headings: outline.length,
    paragraphs,
  };
}

function wordCount(text: string): number {
  let count = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = text.charCodeAt(at) <= 32;
    if (!isSpace && !inWord) count += 1;
    inWord = !isSpace;
  }
  return count;
}
