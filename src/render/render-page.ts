// Renders one page in a context of a browser: filters its requests, waits until it is ready, and takes its document.

import type { BrowserContext, CDPSession, Page, Response } from 'playwright-core';
import type { ErrorCode } from '../core/model/errors.ts';
import type { RequestRates } from './request-rates.ts';
import type { GuardSession, RenderedPage, RenderRequest, SignPageRequest } from './port.ts';
import { type RequestFilter, filterRequests } from './filter-requests.ts';
import { openNavigation } from './navigation-script.ts';
import { snapshotDocument, waitUntilIdle } from './page-script.ts';

export interface RenderLimits {
  /** From the request to the document. */
  readonly timeoutMs: number;
  /** How long network and document have to be at rest. */
  readonly pageIdleMs: number;
  /** How long they may take to become idle, from the document on. */
  readonly readyTimeoutMs: number;
  readonly maxPageBytes: number;
  /** Bytes that a page may send, its requests included. */
  readonly maxUploadBytes: number;
  readonly maxRequests: number;
  /** Size limit of the resulting document. */
  readonly maxBodyBytes: number;
}

export interface RenderPageContext {
  readonly context: BrowserContext;
  readonly session: GuardSession;
  readonly admitRequest: (networkId: string) => void;
  readonly rates: RequestRates;
  readonly renderedBy: string;
  readonly limits: RenderLimits;
  /** Null sends requests without a signature. */
  readonly sign: SignPageRequest | null;
}

export type RenderResult =
  | ({ readonly kind: 'rendered' } & RenderedPage)
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly reason: string; readonly retryable: boolean }
  /** The page or its browser is gone. */
  | { readonly kind: 'crashed' };

/** Set if the page could not be closed: its browser has to be ended. */
export type RenderResultWithState = RenderResult & { readonly isStuck?: boolean };

const CLOSE_TIMEOUT_MS = 3000;
const SNAPSHOT_TIMEOUT_MS = 5000;
const POLL_MS = 50;
/** The most that is spent on the links of collapsed menus. */
const NAVIGATION_MS = 3000;

class PageFailure extends Error {
  override readonly name = 'PageFailure';
  readonly result: RenderResult;

  constructor(result: RenderResult) {
    super(result.kind);
    this.result = result;
  }
}

function failure(code: ErrorCode, reason: string, retryable = false): PageFailure {
  return new PageFailure({ kind: 'failed', code, reason, retryable });
}

export async function renderPage(
  request: RenderRequest,
  on: RenderPageContext,
  signal?: AbortSignal,
): Promise<RenderResultWithState> {
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  const deadline = setTimeout(() => end(failure('render.timeout', 'no document in time')), on.limits.timeoutMs);
  const onAbort = (): void => end(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  const unwatch = onDisconnect(on.context, () => end(new PageFailure({ kind: 'crashed' })));
  const over = new AbortController();
  let page: Page | null = null;
  let result: RenderResult;
  try {
    const opening = on.context.newPage();
    opening.catch(() => undefined);
    page = await Promise.race([opening, ended]);
    result = await Promise.race([renderInPage(page, request, on, { end, signal: over.signal }), ended]);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    result = error instanceof PageFailure ? error.result : { kind: 'crashed' };
  } finally {
    clearTimeout(deadline);
    over.abort();
    // Before it is closed: a page may send something while it is.
    on.session.stop();
    signal?.removeEventListener('abort', onAbort);
    unwatch();
  }
  return { ...result, isStuck: page !== null && !(await closes(page)) };
}

/** Calls that were begun while the browser ended may wait forever. */
function onDisconnect(context: BrowserContext, notify: () => void): () => void {
  const browser = context.browser();
  if (browser?.isConnected() === false) notify();
  browser?.once('disconnected', notify);
  return () => void browser?.off('disconnected', notify);
}

async function closes(page: Page): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS, false).unref());
  return Promise.race([
    page.close().then(
      () => true,
      () => true,
    ),
    late,
  ]);
}

interface PageLife {
  readonly end: (reason: Error) => void;
  /** Aborted when the page is over. */
  readonly signal: AbortSignal;
}

async function renderInPage(
  page: Page,
  request: RenderRequest,
  on: RenderPageContext,
  { end, signal }: PageLife,
): Promise<RenderResult> {
  const { context, session, admitRequest, rates, limits, renderedBy, sign } = on;
  const { maxRequests } = limits;
  const startMs = performance.now();
  session.start({ maxReceivedBytes: limits.maxPageBytes, maxSentBytes: limits.maxUploadBytes, maxRequests });
  page.on('crash', () => end(new PageFailure({ kind: 'crashed' })));
  page.on('popup', (popup) => void popup.close().catch(() => undefined));
  const traffic = watchTraffic(page);
  const cdp = await context.newCDPSession(page);
  const onEndless = (reason: string): void => end(failure('render.failed', reason));
  const [filter] = await Promise.all([
    filterRequests(cdp, { request, session, admitRequest, rates, maxRequests, onEndless, sign, signal }),
    cdp.send('Network.setBypassServiceWorker', { bypass: true }),
  ]);
  const response = await openPage(page, request, on);
  const leftMs = (): number => limits.timeoutMs - (performance.now() - startMs);
  const readiness = await waitUntilReady(cdp, { ...traffic, ...filter }, limits, leftMs());
  const html = await withLimit(
    evaluate<string | null>(cdp, snapshotDocument(limits.maxBodyBytes)),
    SNAPSHOT_TIMEOUT_MS,
  );
  const tooLarge = html === null ? failure('render.too-large', 'too large') : excessOf(session, limits);
  if (html === null || tooLarge !== null) throw tooLarge;
  const url = page.url();
  return {
    kind: 'rendered',
    html: withMenu(html, await menuOf(cdp, leftMs() - SNAPSHOT_TIMEOUT_MS), limits),
    url,
    status: response.status(),
    headers: response.headers(),
    renderedBy,
    bytes: session.bytes(),
    totalMs: performance.now() - startMs,
    readiness,
    refusals: session.refusals(),
    exceeded: filter.exceeded(),
  };
}

/** Set if the page was cut off for what it received or sent. */
function excessOf(session: GuardSession, { maxPageBytes, maxUploadBytes }: RenderLimits): PageFailure | null {
  if (session.bytes() > maxPageBytes) return failure('render.too-large', 'too large');
  return session.sentBytes() > maxUploadBytes ? failure('render.too-large', 'it sends too much') : null;
}

/** The links of collapsed menus; what cannot be had in time is left out, since the document is there already. */
async function menuOf(cdp: CDPSession, leftMs: number): Promise<string> {
  const limitMs = Math.min(NAVIGATION_MS, leftMs);
  if (limitMs <= 0) return '';
  return withLimit(evaluate<string>(cdp, openNavigation(limitMs)), limitMs + POLL_MS).catch(() => '');
}

function withMenu(html: string, menu: string, { maxBodyBytes }: RenderLimits): string {
  if (html.length + menu.length > maxBodyBytes) return html;
  const end = html.lastIndexOf('</body>');
  return end === -1 ? html + menu : html.slice(0, end) + menu + html.slice(end);
}

async function openPage(page: Page, { url }: RenderRequest, { session, limits }: RenderPageContext): Promise<Response> {
  let response: Response | null;
  try {
    response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: limits.timeoutMs });
  } catch (error) {
    throw page.isClosed() ? error : (refusalOf(url, session) ?? navigationFailure(error, session, limits));
  }
  const refused = refusalOf(url, session);
  if (refused !== null) throw refused;
  if (response === null) throw failure('render.failed', 'it has no document');
  return response;
}

/** Set if the guard refused the host of the page itself. */
function refusalOf(url: string, session: GuardSession): PageFailure | null {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const refused = session.refusals().find((one) => one.host === host);
  return refused === undefined ? null : failure('fetch.blocked-address', refused.rule);
}

function navigationFailure(error: unknown, session: GuardSession, limits: RenderLimits): unknown {
  const [, code = ''] = /net::(ERR_\w+)/.exec(String(error)) ?? [];
  const excess = excessOf(session, limits);
  if (excess !== null) return excess;
  switch (code) {
    case '':
      if (/download/i.test(String(error))) return failure('render.failed', 'it is not a document');
      return /timeout/i.test(String(error)) ? failure('render.timeout', 'no document in time') : error;
    // A download, or a response without a document.
    case 'ERR_ABORTED':
      return failure('render.failed', 'it is not a document');
    case 'ERR_TOO_MANY_REDIRECTS':
    case 'ERR_BLOCKED_BY_CLIENT':
      return failure('render.failed', 'it redirects without end');
    default:
      return failure('render.failed', code, true);
  }
}

interface Traffic {
  /** Requests that have not been answered. */
  readonly open: () => number;
  /** Requests so far. */
  readonly started: () => number;
}

function watchTraffic(page: Page): Traffic {
  const open = new Set<unknown>();
  let started = 0;
  page.on('request', (one) => {
    started += 1;
    open.add(one);
  });
  page.on('requestfinished', (one) => void open.delete(one));
  page.on('requestfailed', (one) => void open.delete(one));
  return { open: () => open.size, started: () => started };
}

/** Network quiet and document still, both at the same time; or what there is after the limit. */
async function waitUntilReady(
  cdp: CDPSession,
  traffic: Traffic & Pick<RequestFilter, 'waitedMs'>,
  { pageIdleMs, readyTimeoutMs }: RenderLimits,
  leftMs: number,
): Promise<'quiet' | 'limit'> {
  const startMs = performance.now();
  const lastMs = startMs + Math.max(leftMs - SNAPSHOT_TIMEOUT_MS, pageIdleMs);
  for (;;) {
    const started = traffic.started();
    const remainingMs = Math.min(lastMs, startMs + readyTimeoutMs + traffic.waitedMs()) - performance.now();
    if (remainingMs <= 0) return 'limit';
    const isStill = await withLimit(
      evaluate<boolean>(cdp, waitUntilIdle(pageIdleMs, remainingMs)).catch(() => false),
      remainingMs + SNAPSHOT_TIMEOUT_MS,
    );
    if (isStill && traffic.open() === 0 && traffic.started() === started) return 'quiet';
    // A navigation ends the script that was waiting.
    if (!isStill) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** In a world that is not the page's. A navigation ends the world, so each call asks for it. */
async function evaluate<T>(cdp: CDPSession, expression: string): Promise<T> {
  const { frameTree } = await cdp.send('Page.getFrameTree');
  const { executionContextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'pinakes',
  });
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw failure('render.failed', 'its document cannot be read');
  return result.value as T;
}

async function withLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(failure('render.timeout', 'its scripts do not end')), limitMs);
  work.catch(() => undefined);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
