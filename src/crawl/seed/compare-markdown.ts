// Decides, before the first claim, whether the Markdown that a site publishes of its pages is used. The probed pages are
// read both ways, and the Markdown must keep nearly everything that their HTML has.

import {
  addFidelities,
  compareMarkdown,
  describeFidelity,
  isFaithful,
  type ComparedDocument,
  type MarkdownFidelity,
} from '../../core/discover/markdown/markdown-fidelity.ts';
import { PinakesError } from '../../core/model/errors.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import type { CrawlPorts } from '../context/ports.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import {
  HTML_ACCEPT,
  MARKDOWN_ACCEPT,
  type OwnMarkdown,
  type StoredMarkdown,
  type VariantRoute,
} from '../site/site-profile.ts';
import type { DiscoveryFetch } from './discovery-fetch.ts';

export interface PublishedMarkdown {
  readonly route: VariantRoute | null;
  /** Variants of the probed pages, as fetched. */
  readonly variants: ReadonlyMap<PageUrl, Uint8Array>;
  readonly negotiates: boolean;
  /** Texts of pages in llms-full.txt, under the URLs of the pages. */
  readonly llmsFull: ReadonlyMap<PageUrl, string>;
}

export interface EvaluateDeps {
  readonly parser: CrawlPorts['parser'];
  readonly discoveryFetch: DiscoveryFetch;
  /** The verdict of an earlier run, if it may be trusted. */
  readonly known: StoredMarkdown | null;
  readonly signal: AbortSignal;
}

/** Null if the site publishes none, or none that can be compared with HTML: then it is used as it is. */
export async function evaluateMarkdown(
  probed: readonly PageUrl[],
  published: PublishedMarkdown,
  deps: EvaluateDeps,
): Promise<OwnMarkdown | null> {
  const { known, parser, signal } = deps;
  const { route, negotiates, llmsFull, variants } = published;
  if (route === null && variants.size === 0 && !negotiates && !probed.some((page) => llmsFull.has(page))) return null;
  // A verdict of another extractor is not comparable.
  const pipeline = (await parser.pipelineVersions(signal)).join(' ');
  if (known?.ownMarkdown?.pipeline === pipeline && known.route === route)
    return { ...known.ownMarkdown, declaredVersions: await readVersions(probed, known.ownMarkdown, deps) };
  const pages = await comparePages(probed, published, deps);
  if (pages.length === 0) return null;
  const fidelity = addFidelities(pages.map((page) => page.fidelity));
  const declaredVersions = pages.map(({ declaredVersion }) => declaredVersion);
  return { isUsed: isFaithful(fidelity), pages: pages.length, fidelity, pipeline, declaredVersions };
}

/** The verdict about a site lasts for many runs, but its version may have changed. */
async function readVersions(
  probed: readonly PageUrl[],
  { isUsed }: OwnMarkdown,
  deps: EvaluateDeps,
): Promise<Array<string | null>> {
  const versions: Array<string | null> = [];
  for (const page of isUsed ? probed : []) {
    const html = await documentAt(page, HTML_ACCEPT, /html/i, deps);
    if (html !== null) versions.push(html.declaredVersion);
  }
  return versions;
}

interface ComparedPage {
  readonly fidelity: MarkdownFidelity;
  /** Version that its HTML declares. */
  readonly declaredVersion: string | null;
}

async function comparePages(
  probed: readonly PageUrl[],
  published: PublishedMarkdown,
  deps: EvaluateDeps,
): Promise<readonly ComparedPage[]> {
  const pages: ComparedPage[] = [];
  for (const page of probed) {
    const markdown = await publishedDocument(page, published, deps);
    const html = markdown === null ? null : await documentAt(page, HTML_ACCEPT, /html/i, deps);
    if (markdown === null || html === null) continue;
    pages.push({ fidelity: compareMarkdown(markdown, html), declaredVersion: html.declaredVersion });
  }
  return pages;
}

/** The text that the crawl would use, by the same order of preference. */
async function publishedDocument(
  page: PageUrl,
  { variants, negotiates, llmsFull }: PublishedMarkdown,
  deps: EvaluateDeps,
): Promise<ReadDocument | null> {
  const text = llmsFull.get(page);
  const body = text === undefined ? variants.get(page) : new TextEncoder().encode(text);
  if (body !== undefined)
    return parseDocument({ url: page, mediaType: 'text/markdown; charset=utf-8', headers: {}, body }, deps);
  return negotiates ? documentAt(page, MARKDOWN_ACCEPT, /markdown/i, deps) : null;
}

async function documentAt(
  page: PageUrl,
  accept: string,
  mediaTypes: RegExp,
  deps: EvaluateDeps,
): Promise<ReadDocument | null> {
  const file = await deps.discoveryFetch.fetchFile(page, { accept });
  if (file.kind !== 'file' || !mediaTypes.test(file.mediaType ?? '')) return null;
  const { mediaType, headers, body } = file;
  return parseDocument({ url: page, mediaType, headers, body }, deps);
}

type RawPage = Parameters<CrawlPorts['parser']['parse']>[0];

/** Longer documents are compared by their beginning. */
const MAX_COMPARED_CHARS = 1_000_000;

interface ReadDocument extends ComparedDocument {
  readonly declaredVersion: string | null;
}

async function parseDocument(page: RawPage, { parser, signal }: EvaluateDeps): Promise<ReadDocument | null> {
  try {
    const { document, declaredVersion } = await parser.parse(page, signal);
    const { text, outline } = document;
    return { text: text.slice(0, MAX_COMPARED_CHARS), outline, declaredVersion };
  } catch (error) {
    if (signal.aborted || !(error instanceof PinakesError)) throw error;
    return null;
  }
}

export async function reportPoorMarkdown(
  { run, startUrl }: { readonly run: RunId; readonly startUrl: PageUrl },
  { isUsed, pages, fidelity }: OwnMarkdown,
  report: ReportProblem,
): Promise<void> {
  if (isUsed) return;
  await report({
    run,
    kind: 'markdown-poor',
    severity: 'info',
    scope: 'site',
    target: startUrl,
    message: `The Markdown that the site publishes keeps ${describeFidelity(fidelity)} of ${pages} compared pages, so pages are read as HTML`,
    details: {},
  });
}
