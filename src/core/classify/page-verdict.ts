// Decides whether a page has content, or is an interstitial: a challenge, a login, a consent wall, a soft 404, a redirect or
// an empty page. Every rule checks the amount of text first, so that a document about logins, cookies or the status 404 is
// never mistaken for one.

import type { HtmlMetadata, ExtractedMetadata } from '../extract/extractor.ts';
import { isAsciiWord } from '../lexical/tokenize/characters.ts';
import { fencedCode } from '../markdown/scan-blocks.ts';
import type { Document } from '../model/document.ts';
import { phrasesOf, type PhraseList } from './verdict-phrases.table.ts';

export type PageVerdict =
  | { readonly kind: 'content' }
  | { readonly kind: 'not-content'; readonly reason: 'redirect-stub'; readonly rule: string; readonly to: string }
  | { readonly kind: 'not-content'; readonly reason: NotContentReason; readonly rule: string };

export type NotContentReason = 'challenge' | 'login' | 'consent' | 'soft-404' | 'near-empty' | 'needs-rendering';

export interface ClassifiedPage {
  readonly document: Document;
  readonly metadata: ExtractedMetadata;
  /** Response headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the rules check, measured once. */
interface PageMeasurements extends ClassifiedPage {
  /** Words of the text outside headings, counted up to ENOUGH_WORDS. */
  readonly words: number;
  readonly hasCode: boolean;
  /** Title and first heading, lower case. */
  readonly names: readonly string[];
  readonly contentLinks: number;
}

const ENOUGH_WORDS = 400;
const CONTENT: PageVerdict = { kind: 'content' };

export function pageVerdict(page: ClassifiedPage): PageVerdict {
  // An image has no text, only a name. A folder keeps it for the bundle that is made of it; a link to one is not a page.
  if (page.document.format === 'image' && /^https?:/.test(page.document.url)) return notContent('near-empty', 'image');
  const words = countWords(page.document.text, page.document.format === 'markdown');
  if (words >= ENOUGH_WORDS) return CONTENT;
  const measured = measurePage(page, words);
  return (
    challenge(measured) ??
    redirectStub(measured) ??
    login(measured) ??
    soft404(measured) ??
    consent(measured) ??
    empty(measured) ??
    CONTENT
  );
}

function challenge(page: PageMeasurements): PageVerdict | null {
  const { headers = {}, metadata, words, names, hasCode } = page;
  if (headers['cf-mitigated'] === 'challenge') return notContent('challenge', 'header-cf-mitigated');
  if (/^(?:challenge|captcha)$/.test(headers['x-amzn-waf-action'] ?? ''))
    return notContent('challenge', 'header-aws-waf');
  if (metadata.html === null || hasCode) return null;
  const named = matchesAny(names, 'challenge');
  const mark = metadata.html.thinPageSignals.interstitialMarkers.find((name) => !CONSENT_MARKS.has(name));
  if (mark !== undefined && words < (named ? 200 : 60)) return notContent('challenge', `mark-${mark}`);
  return named && words < 120 ? notContent('challenge', 'title') : null;
}

const CONSENT_MARKS = new Set(['google-consent', 'yahoo-consent', 'onetrust', 'didomi', 'cookiebot']);

function redirectStub(page: PageMeasurements): PageVerdict | null {
  const { document, metadata, words, hasCode } = page;
  if (metadata.html === null || hasCode) return null;
  const { refresh, thinPageSignals } = metadata.html;
  const refreshTo = refresh !== null && refresh.seconds <= 15 ? refresh.url : null;
  if (refreshTo !== null && words < 80) return redirect(document, refreshTo, 'meta-refresh');
  if (thinPageSignals.scriptRedirect !== null && words < 40)
    return redirect(document, thinPageSignals.scriptRedirect, 'script');
  return movedPage(page);
}

function movedPage({ document, names, words, contentLinks }: PageMeasurements): PageVerdict | null {
  if (words >= 60 || contentLinks === 0 || contentLinks > 3 || !matchesAny(names, 'moved')) return null;
  return redirect(document, document.links.find((link) => link.inContent)?.href ?? '', 'moved-page');
}

function redirect(document: Document, target: string, rule: string): PageVerdict | null {
  const to = URL.parse(target, document.url);
  if (to === null || (to.protocol !== 'http:' && to.protocol !== 'https:' && to.protocol !== 'file:')) return null;
  to.hash = '';
  return to.href === document.url
    ? null
    : { kind: 'not-content', reason: 'redirect-stub', rule: `redirect-stub/${rule}`, to: to.href };
}

function login({ metadata, words, names, hasCode }: PageMeasurements): PageVerdict | null {
  if (metadata.html === null || hasCode) return null;
  const named = matchesAny(names, 'login');
  if (metadata.html.hasPasswordField && (words < 60 || (named && words < 200)))
    return notContent('login', 'password-field');
  return named && words < 40 && metadata.html.visibleTextLength < 600 ? notContent('login', 'title') : null;
}

function soft404({ names, words, hasCode, document }: PageMeasurements): PageVerdict | null {
  if (hasCode || (document.format !== 'markdown' && document.format !== 'text')) return null;
  return matchesAny(names, 'not-found') && words < 150 ? notContent('soft-404', 'title') : null;
}

function consent({ metadata, words, names, hasCode, document }: PageMeasurements): PageVerdict | null {
  if (metadata.html === null || hasCode || words > 250) return null;
  const requestsCookies =
    /\bcookies?\b/i.test(document.text) && matchesAny([document.text.toLowerCase()], 'consent-choice');
  if (!requestsCookies) return null;
  if (matchesAny(names, 'consent')) return notContent('consent', 'title');
  return metadata.html.thinPageSignals.interstitialMarkers.some((name) => CONSENT_MARKS.has(name)) && words < 120
    ? notContent('consent', 'mark')
    : null;
}

function empty(page: PageMeasurements): PageVerdict | null {
  const { metadata, words, hasCode, contentLinks, document } = page;
  const isBare = words < 30 && !hasCode && contentLinks < 3;
  const unrendered = isBare && metadata.html !== null ? emptyMarkup(metadata.html, words) : null;
  if (unrendered !== null) return unrendered;
  if (document.format !== 'markdown') return document.text.trim() === '' ? notContent('near-empty', 'blank') : null;
  return words < 3 && !hasCode && contentLinks < 2 ? notContent('near-empty', 'few-words') : null;
}

function emptyMarkup(
  { scripts, visibleTextLength, noscriptText, thinPageSignals }: HtmlMetadata,
  words: number,
): PageVerdict | null {
  if (scripts > 0 && visibleTextLength < 400) {
    if (thinPageSignals.emptyMounts.length > 0) return notContent('needs-rendering', 'empty-mount');
    if (matchesAny([noscriptText.toLowerCase()], 'javascript-needed')) return notContent('needs-rendering', 'noscript');
    if (words === 0 && visibleTextLength < 40) return notContent('needs-rendering', 'scripts-only');
  }
  return thinPageSignals.frames > 0 ? notContent('near-empty', 'frameset') : null;
}

function notContent(reason: NotContentReason, rule: string): PageVerdict {
  return { kind: 'not-content', reason, rule: `${reason}/${rule}` };
}

function matchesAny(texts: readonly string[], list: PhraseList): boolean {
  return texts.some((text) => phrasesOf[list].some((phrase) => phrase.test(text)));
}

function measurePage(page: ClassifiedPage, words: number): PageMeasurements {
  const { document } = page;
  const isMarkdown = document.format === 'markdown';
  const firstHeading = document.outline[0]?.text ?? '';
  return {
    ...page,
    words,
    hasCode: !isMarkdown ? document.format !== 'text' : fencedCode(document.text).length > 0,
    names: [document.title, firstHeading].map((name) => name.slice(0, 300).toLowerCase().trim()),
    contentLinks: document.links.reduce((count, link) => (link.inContent ? count + 1 : count), 0),
  };
}

/** Stops at ENOUGH_WORDS. In scripts without spaces every two letters count as a word. */
function countWords(text: string, isMarkdown: boolean): number {
  let words = 0;
  for (const line of linesUpTo(text, 200_000)) {
    if (isMarkdown && /^ {0,3}#{1,6}\s/.test(line)) continue;
    words += NOT_ASCII.test(line) ? wordsOf(line) : asciiWords(line);
    if (words >= ENOUGH_WORDS) return words;
  }
  return words;
}

const NOT_ASCII = /[^\t\r -~]/;

function asciiWords(line: string): number {
  let words = 0;
  let inWord = false;
  for (let at = 0; at < line.length; at += 1) {
    const isWord = isAsciiWord(line.charCodeAt(at));
    if (isWord && !inWord) words += 1;
    inWord = isWord;
  }
  return words;
}

function wordsOf(line: string): number {
  let words = 0;
  for (const [word] of line.matchAll(/[\p{L}\p{N}]+/gu))
    words += /[\u2E80-\u9FFF\uAC00-\uD7AF]/.test(word) ? Math.ceil(word.length / 2) : 1;
  return words;
}

function* linesUpTo(text: string, limit: number): Generator<string> {
  let at = 0;
  while (at < text.length && at < limit) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    yield text.slice(at, Math.min(stop, at + limit));
    at = stop + 1;
  }
}

const MEANINGS: Readonly<Record<NotContentReason | 'redirect-stub', string>> = {
  challenge: 'it is a bot check',
  consent: 'it only asks about cookies',
  login: 'it is a login form',
  'near-empty': 'it has hardly any text',
  'needs-rendering': 'it is empty without its scripts',
  'redirect-stub': 'it only leads elsewhere',
  'soft-404': 'it is an error page',
};

const RULE_MEANINGS: Readonly<Record<string, string>> = {
  'near-empty/blank': 'it has no text',
  'near-empty/frameset': 'it consists of frames',
};

/** The verdict in words, for a reader of the run. */
export function describeVerdict({ reason, rule }: Extract<PageVerdict, { kind: 'not-content' }>): string {
  return RULE_MEANINGS[rule] ?? MEANINGS[reason];
}
