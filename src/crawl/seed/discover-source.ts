// Where a crawl starts: llms.txt and llms-full.txt, then sitemaps, then the start page whose links are followed. Each
// level adds to the one before, and each URL remembers the level that found it first.
//
// This is a conductor and not a stage, because it needs fetching and parsing, and stages never meet.

import { llmsFullPlace, llmsTxtPlaces, llmsTxtVerdict, type LlmsTxt } from '../../core/discover/llms/llms-txt.ts';
import type { LlmsFullPage } from '../../core/discover/llms/llms-full-page.ts';
import { textAnswerProblem } from '../../core/discover/text-response.ts';
import { robotsAccessVerdict, type RobotsAccess } from '../../core/discover/robots/robots-access.ts';
import { pageUrl, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { PRESETS } from '../../core/model/source-settings.ts';
import { decodeUtf8 } from '../../core/model/decode-utf8.ts';
import { askFile, askFileOutcome, type AskedFile } from '../../operate/ask-file.ts';
import type { AskHost } from '../polite/polite-fetch.ts';
import { basisOf, type KeptLlmsFull, type LlmsFullMark } from '../site/llms-full-cache.ts';
import { readSitemaps } from '../../operate/read-sitemaps.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import type { RobotsKeeper } from '../polite/robots-cache.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { CrawlStages } from '../context/ports.ts';

const TEXT = 'text/plain, text/markdown;q=0.9, */*;q=0.5';
/** What is read of an answer to see whether it is a text. */
const HEAD_BYTES = 4096;
/** llms-full.txt holds a whole site, so the cap of a page is not for it. As large as a sitemap may be. */
const LLMS_FULL_BYTES = 52_428_800;

export interface DiscoverDeps {
  readonly stages: CrawlStages;
  readonly robots: RobotsKeeper;
  readonly report: ReportProblem;
  readonly run: RunId;
  /** Asks as this run. */
  readonly ask: AskHost;
  /** What the last run read of llms-full.txt, where that may be believed. */
  readonly kept: KeptLlmsFull | null;
}

/** Addresses as the files state them; they may be Markdown twins of pages. */
export interface Discovery {
  readonly llmsTxt: readonly PageUrl[];
  readonly llmsFull: LlmsFullFound;
  readonly sitemap: readonly PageUrl[];
}

/** Of llms-full.txt. */
export type LlmsFullFound =
  /** As it was read before: its pages are kept. */
  | { readonly kind: 'kept'; readonly urls: readonly PageUrl[] }
  | { readonly kind: 'read'; readonly pages: readonly LlmsFullPage[]; readonly mark: LlmsFullMark | null };

export function llmsFullUrls(found: LlmsFullFound): readonly PageUrl[] {
  return found.kind === 'kept' ? found.urls : found.pages.map(({ url }) => url);
}

const NOTHING: LlmsFullFound = { kind: 'read', pages: [], mark: null };

export async function discoverSource(rules: RunRules, deps: DiscoverDeps, signal: AbortSignal): Promise<Discovery> {
  const levels = PRESETS[rules.settings.preset];
  const access = await deps.robots.accessFor(rules.start, deps.run, signal);
  const around: Around = { ...deps, access, signal };
  const llms = levels.llms ? await findLlmsTxt(placesOf(rules), around) : null;
  const sitemap = levels.sitemaps ? await readSitemaps(rules.start, around) : [];
  return {
    llmsTxt: llms?.text.links.map(({ url }) => url) ?? [],
    llmsFull: llms === null ? NOTHING : await readLlmsFull(llms, sitemap, around),
    sitemap,
  };
}

interface Around extends DiscoverDeps {
  readonly access: RobotsAccess;
  readonly signal: AbortSignal;
}

interface FoundLlms {
  readonly url: PageUrl;
  readonly text: LlmsTxt;
}

function placesOf({ start, settings: { llmsTxt } }: RunRules): readonly PageUrl[] {
  return llmsTxt === null ? llmsTxtPlaces(start) : [pageUrl(llmsTxt)];
}

async function findLlmsTxt(places: readonly PageUrl[], around: Around): Promise<FoundLlms | null> {
  const { stages, robots, run, ask, signal } = around;
  for (const place of places) {
    const access = await robots.accessFor(place, run, signal);
    const file = robotsAccessVerdict(access, place).allowed ? await askFile(ask, place, TEXT) : null;
    if (file === null) continue;
    const { status, mediaType, body, url } = file;
    if (!llmsTxtVerdict({ status, mediaType, body: decodeUtf8(body) }).valid) continue;
    return { url, text: await stages.parser.readLlmsTxt({ url, mediaType, body }, signal) };
  }
  return null;
}

async function readLlmsFull(
  llms: FoundLlms,
  sitemap: readonly PageUrl[],
  { stages, robots, run, ask, kept, signal }: Around,
): Promise<LlmsFullFound> {
  const place = llmsFullPlace(llms.url);
  if (!robotsAccessVerdict(await robots.accessFor(place, run, signal), place).allowed) return NOTHING;
  const known = [
    ...llms.text.links.map((link) => ({ url: link.url, title: link.title })),
    ...sitemap.map((page) => ({ url: page, title: null })),
  ];
  const basis = basisOf(known);
  const before = kept?.basis === basis ? kept : NOT_KEPT;
  const { etag, lastModified, urls } = before;
  const file = await askFileOutcome(ask, place, { accept: TEXT, cutAtBytes: LLMS_FULL_BYTES, etag, lastModified });
  if (file.kind === 'unchanged') return before === NOT_KEPT ? NOTHING : { kind: 'kept', urls };
  if (file.kind === 'none' || !isWholeText(file)) return NOTHING;
  const { pages } = await stages.parser.splitLlmsFull({ ...bodyOf(file), known }, signal);
  return { kind: 'read', pages, mark: markOf(file, place, basis) };
}

const NOT_KEPT: KeptLlmsFull = { etag: null, lastModified: null, basis: '', urls: [] };

/** What is cut ends in the middle of a page, so all of it is crawled instead. */
function isWholeText({ status, mediaType, body, truncated }: AskedFile): boolean {
  if (truncated) return false;
  return textAnswerProblem({ status, mediaType, body: decodeUtf8(body.subarray(0, HEAD_BYTES)) }) === null;
}

function bodyOf({ url, mediaType, body }: AskedFile): Pick<AskedFile, 'url' | 'mediaType' | 'body'> {
  return { url, mediaType, body };
}

/** Validators belong to the address that gave them. */
function markOf({ url, etag, lastModified }: AskedFile, place: PageUrl, basis: string): LlmsFullMark | null {
  return url === place && (etag !== null || lastModified !== null) ? { etag, lastModified, basis } : null;
}
