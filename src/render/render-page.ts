// Renders one page in a context of a browser: judges its requests, waits until it is ready, and takes its document.

import type { BrowserContext, CDPSession, Page, Response } from 'playwright-core';
import type { ErrorCode } from '../core/model/errors.ts';
import type { GuardSession, RenderedPage, RenderRequest } from './port.ts';
import { openNavigation } from './navigation-script.ts';
import { takeSnapshot, whenStill } from './page-script.ts';
import { requestVerdict } from './request-verdict.ts';

export interface RenderLimits {
  /** From the request to the document. */
  readonly timeoutMs: number;
  /** How long network and document have to be at rest. */
  readonly quietMs: number;
  /** How long they may take to come to rest, from the document on. */
  readonly settleMs: number;
  readonly maxPageBytes: number;
  /** Of the resulting document. */
  readonly maxBodyBytes: number;
}

export interface PageContext {
  readonly context: BrowserContext;
  readonly session: GuardSession;
  readonly renderedBy: string;
  readonly limits: RenderLimits;
}

export type PageResult =
  | ({ readonly kind: 'rendered' } & RenderedPage)
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly reason: string; readonly retryable: boolean }
  /** The page or its browser is gone. */
  | { readonly kind: 'crashed' };

/** Set if the page could not be closed: its browser has to be ended. */
export type PageEnd = PageResult & { readonly isStuck?: boolean };

const CLOSE_TIMEOUT_MS = 3000;
const SNAPSHOT_TIMEOUT_MS = 5000;
const POLL_MS = 50;
/** The most that is spent on the links of collapsed menus. */
const NAVIGATION_MS = 3000;

class PageFailure extends Error {
  override readonly name = 'PageFailure';
  readonly result: PageResult;

  constructor(result: PageResult) {
    super(result.kind);
    this.result = result;
  }
}

function failure(code: ErrorCode, reason: string, retryable = false): PageFailure {
  return new PageFailure({ kind: 'failed', code, reason, retryable });
}

export async function renderPage(request: RenderRequest, on: PageContext, signal?: AbortSignal): Promise<PageEnd> {
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  const deadline = setTimeout(() => end(failure('render.timeout', 'no document in time')), on.limits.timeoutMs);
  const onAbort = (): void => end(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  const unwatch = whenGone(on.context, () => end(new PageFailure({ kind: 'crashed' })));
  let page: Page | null = null;
  let result: PageResult;
  try {
    const opening = on.context.newPage();
    opening.catch(() => undefined);
    page = await Promise.race([opening, ended]);
    result = await Promise.race([drawPage(page, request, on, end), ended]);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    result = error instanceof PageFailure ? error.result : { kind: 'crashed' };
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', onAbort);
    unwatch();
  }
  return { ...result, isStuck: page !== null && !(await closes(page)) };
}

/** Calls that were begun while the browser ended may wait forever. */
function whenGone(context: BrowserContext, tell: () => void): () => void {
  const browser = context.browser();
  if (browser?.isConnected() === false) tell();
  browser?.once('disconnected', tell);
  return () => void browser?.off('disconnected', tell);
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

type End = (reason: Error) => void;

async function drawPage(page: Page, request: RenderRequest, on: PageContext, end: End): Promise<PageResult> {
  const { context, session, limits, renderedBy } = on;
  const startMs = performance.now();
  session.start(limits.maxPageBytes);
  page.on('crash', () => end(new PageFailure({ kind: 'crashed' })));
  page.on('popup', (popup) => void popup.close().catch(() => undefined));
  const traffic = watchTraffic(page);
  const cdp = await context.newCDPSession(page);
  await Promise.all([
    judgeRequests(cdp, request, { session, traffic, end }),
    cdp.send('Network.setBypassServiceWorker', { bypass: true }),
  ]);
  const response = await openPage(page, request, on);
  const leftMs = (): number => limits.timeoutMs - (performance.now() - startMs);
  const readiness = await waitUntilReady(cdp, traffic, limits, leftMs());
  const html = await withLimit(evaluate<string | null>(cdp, takeSnapshot(limits.maxBodyBytes)), SNAPSHOT_TIMEOUT_MS);
  if (html === null || session.bytes() > limits.maxPageBytes) throw failure('render.too-large', 'too large');
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
  };
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

async function openPage(page: Page, { url }: RenderRequest, { session, limits }: PageContext): Promise<Response> {
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

function navigationFailure(error: unknown, session: GuardSession, { maxPageBytes }: RenderLimits): unknown {
  const [, code = ''] = /net::(ERR_\w+)/.exec(String(error)) ?? [];
  if (session.bytes() > maxPageBytes) return failure('render.too-large', 'too large');
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
  /** How long requests waited for the slot of their host, which is not the page's fault. */
  waitedMs: number;
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
  return { open: () => open.size, started: () => started, waitedMs: 0 };
}

/** Every request passes here, redirects included; what the page's service worker or another process sends does not. */
async function judgeRequests(cdp: CDPSession, request: RenderRequest, page: JudgedPage): Promise<void> {
  const { session, traffic, end } = page;
  const { origin } = new URL(request.url);
  const own = Object.entries(request.headers ?? {});
  const ownNames = new Set(own.map(([name]) => name.toLowerCase()));
  const { frameTree } = await cdp.send('Page.getFrameTree');
  let documents = 0;

  cdp.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const response =
      authChallenge.source === 'Proxy'
        ? ({ response: 'ProvideCredentials', username: session.username, password: session.password } as const)
        : ({ response: 'CancelAuth' } as const);
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: response }).catch(() => undefined);
  });

  const judge = async (event: PausedRequest): Promise<void> => {
    const { requestId, resourceType, frameId } = event;
    const { method, url, headers } = event.request;
    const isMainFrame = frameId === frameTree.frame.id;
    const verdict = requestVerdict({ method, resourceType, url, isMainFrame, documents, origin });
    const isFirst = documents === 0;
    if (isMainFrame && resourceType === 'Document') documents += 1;
    if (!verdict.admit && verdict.because === 'redirect-loop')
      end(failure('render.failed', 'it redirects without end'));
    const mayGo = verdict.admit && (!verdict.isData || isFirst || (await mayRequest(request, url, traffic)));
    if (!mayGo) return void (await cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }));
    if (own.length === 0) return void (await cdp.send('Fetch.continueRequest', { requestId }));
    const others = Object.entries(headers).filter(([name]) => !ownNames.has(name.toLowerCase()));
    const sent = new URL(url).origin === origin ? [...others, ...own] : others;
    await cdp.send('Fetch.continueRequest', { requestId, headers: sent.map(([name, value]) => ({ name, value })) });
  };
  cdp.on('Fetch.requestPaused', (event) => void judge(event).catch(() => undefined));
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true });
}

interface PausedRequest {
  readonly requestId: string;
  readonly resourceType: string;
  readonly frameId: string;
  readonly request: { readonly method: string; readonly url: string; readonly headers: Record<string, string> };
}

interface JudgedPage {
  readonly session: GuardSession;
  readonly traffic: Traffic;
  readonly end: End;
}

async function mayRequest({ mayRequest: ask }: RenderRequest, url: string, traffic: Traffic): Promise<boolean> {
  if (ask === undefined) return true;
  const sinceMs = performance.now();
  const may = await ask(url);
  traffic.waitedMs += performance.now() - sinceMs;
  return may;
}

/** Network quiet and document still, both at the same time; or what there is after the limit. */
async function waitUntilReady(
  cdp: CDPSession,
  traffic: Traffic,
  { quietMs, settleMs }: RenderLimits,
  leftMs: number,
): Promise<'quiet' | 'limit'> {
  const startMs = performance.now();
  const lastMs = startMs + Math.max(leftMs - SNAPSHOT_TIMEOUT_MS, quietMs);
  for (;;) {
    const started = traffic.started();
    const remainingMs = Math.min(lastMs, startMs + settleMs + traffic.waitedMs) - performance.now();
    if (remainingMs <= 0) return 'limit';
    const isStill = await withLimit(
      evaluate<boolean>(cdp, whenStill(quietMs, remainingMs)).catch(() => false),
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
