// Checks every request of a page before it is made: by method and type, by what the page may cost, by the rate of other sites,
// and by the caller. What is admitted may connect at the proxy; what does not pass here cannot.

import type { CDPSession } from 'playwright-core';
import { pageUrl } from '../core/model/page-url.ts';
import { portOf, unbracketHost } from '../core/ssrf/ssrf-verdict.ts';
import { siteOf } from '../core/url/site.ts';
import { sleep } from '../platform/clock.ts';
import type { RequestRates } from './request-rates.ts';
import type { GuardSession, RenderRequest, SignPageRequest } from './port.ts';
import { requestVerdict, type RequestVerdict } from './request-verdict.ts';

export interface FilteredRenderPage {
  readonly request: RenderRequest;
  readonly session: GuardSession;
  /** Lets a request with this id pass the gate of the browser. */
  readonly admitRequest: (networkId: string) => void;
  readonly rates: RequestRates;
  readonly maxRequests: number;
  /** The page redirects or requests forever; each request costs CPU time, even if it is refused. */
  readonly onEndless: (reason: string) => void;
  readonly sign: SignPageRequest | null;
  /** Aborted when the page is over. */
  readonly signal: AbortSignal;
}

export interface RequestFilter {
  /** The limit that requests of the page were refused for; null if none was. */
  readonly exceeded: () => string | null;
  /** How long requests waited for the caller, which is not the page's fault. */
  readonly waitedMs: () => number;
}

interface PausedRequest {
  readonly requestId: string;
  readonly networkId?: string;
  readonly resourceType: string;
  readonly frameId: string;
  readonly request: { readonly method: string; readonly url: string; readonly headers: Record<string, string> };
}

/** Every request of the page passes here, redirects and those of its workers included. */
export async function filterRequests(cdp: CDPSession, page: FilteredRenderPage): Promise<RequestFilter> {
  const { request, session, admitRequest, maxRequests, onEndless, sign } = page;
  const { origin } = new URL(request.url);
  const { frameTree } = await cdp.send('Page.getFrameTree');
  const budget = createRequestBudget(page);
  let documents = 0;
  let requested = 0;
  let waitedMs = 0;

  /** By what it is alone; ends a page that has no end. */
  function verdictOf({ resourceType, frameId, request: { method, url, headers } }: PausedRequest): RequestVerdict {
    const isMainFrame = frameId === frameTree.frame.id;
    const verdict = requestVerdict({ method, resourceType, url, headers, isMainFrame, documents, origin });
    if (isMainFrame && resourceType === 'Document') documents += 1;
    if (!verdict.admit && verdict.reason === 'redirect-loop') onEndless('it redirects without end');
    // A page may have thousands of images.
    if (verdict.admit || verdict.reason !== 'type') requested += 1;
    if (requested > ENDLESS * maxRequests) onEndless('it makes requests without end');
    return verdict;
  }

  async function mayGo(event: PausedRequest): Promise<boolean> {
    const { networkId } = event;
    const isFirst = documents === 0;
    const verdict = verdictOf(event);
    if (!verdict.admit) return false;
    const target = new URL(event.request.url);
    if (!(await budget.take(target, networkId))) return false;
    if (verdict.isData && !isFirst && !(await mayRequest(event.request.url))) return false;
    if (networkId !== undefined) admitRequest(networkId);
    session.admit(unbracketHost(target.hostname), portOf(target));
    return true;
  }

  async function mayRequest(url: string): Promise<boolean> {
    const sinceMs = performance.now();
    // Without an answer, such as one from a database that is away, the request is not made.
    const may = (await request.mayRequest?.(url).catch(() => false)) ?? true;
    waitedMs += performance.now() - sinceMs;
    return may;
  }

  const headersOf = createHeaderRule(request, origin, sign);
  const filter = async (event: PausedRequest): Promise<void> => {
    const { requestId } = event;
    if (!(await mayGo(event).catch(() => false)))
      return void (await cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }));
    const headers = headersOf(event);
    await cdp.send('Fetch.continueRequest', headers === null ? { requestId } : { requestId, headers });
  };

  answerProxy(cdp, session);
  cdp.on('Network.requestServedFromCache', ({ requestId }) => budget.giveBack(requestId));
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache === true) budget.giveBack(requestId);
  });
  cdp.on('Fetch.requestPaused', (event) => void filter(event).catch(() => undefined));
  await cdp.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true });
  return { exceeded: budget.exceeded, waitedMs: () => waitedMs };
}

function answerProxy(cdp: CDPSession, { username, password }: GuardSession): void {
  cdp.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const response =
      authChallenge.source === 'Proxy'
        ? ({ response: 'ProvideCredentials', username, password } as const)
        : ({ response: 'CancelAuth' } as const);
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: response }).catch(() => undefined);
  });
}

type Headers = Array<{ readonly name: string; readonly value: string }>;

/** What a signature sets: a page that sets one would pass as signed by us elsewhere, or break ours. */
const SIGNATURE_NAMES = ['signature', 'signature-input', 'signature-agent'] as const;

/** The headers of a request if they change, with those of its source and a signature only at the origin of the page. */
function createHeaderRule(
  request: RenderRequest,
  origin: string,
  sign: SignPageRequest | null,
): (event: PausedRequest) => Headers | null {
  const own = Object.entries(request.headers ?? {});
  if (own.length === 0 && sign === null) return () => null;
  const ownNames = new Set([...own.map(([name]) => name.toLowerCase()), ...(sign === null ? [] : SIGNATURE_NAMES)]);
  return ({ request: { url, headers } }) => {
    const others = Object.entries(headers).filter(([name]) => !ownNames.has(name.toLowerCase()));
    const target = new URL(url);
    const isOwn = target.origin === origin;
    const sent = isOwn ? [...others, ...own, ...Object.entries(sign?.(target) ?? {})] : others;
    return sent.map(([name, value]) => ({ name, value }));
  };
}

/** How many times as many requests as it may make a page may attempt, before it is ended. */
const ENDLESS = 4;

/** Hosts besides its own that a page may request. */
const MAX_OTHER_HOSTS = 20;

interface RequestBudget {
  /** Waits for the rate of another site; false if the page has reached a limit. */
  take(target: URL, networkId: string | undefined): Promise<boolean>;
  /** The cache answered, so nothing was sent. */
  giveBack(networkId: string): void;
  readonly exceeded: () => string | null;
}

function createRequestBudget({ request, rates, maxRequests, signal }: FilteredRenderPage): RequestBudget {
  const own = new URL(request.url).host;
  const { source } = request;
  /** What waits for its turn, by host: one request of the page at a time. */
  const turns = new Map<string, Promise<void>>();
  const taken = new Map<string, string>();
  let requests = 0;
  let exceeded: string | null = null;

  async function waitForRate(site: string): Promise<void> {
    for (;;) {
      const waitMs = rates.takeOrWaitMs(source, site);
      if (waitMs === 0) return;
      await sleep(waitMs, signal);
    }
  }

  return {
    async take({ protocol, host, hostname }, networkId) {
      if (requests >= maxRequests) {
        exceeded ??= `${maxRequests} requests (render.maxRequests)`;
        return false;
      }
      requests += 1;
      if (host === own) return true;
      const before = turns.get(host);
      if (before === undefined && turns.size >= MAX_OTHER_HOSTS) {
        exceeded ??= `requests to ${MAX_OTHER_HOSTS} other hosts`;
        return false;
      }
      // A domain has any number of names, and they may all lead to one address.
      const site = siteOf(pageUrl(`${protocol}//${hostname}/`));
      const turn = (before ?? Promise.resolve()).then(() => waitForRate(site));
      turns.set(host, turn);
      // The page may be closed by now.
      turn.catch(() => undefined);
      await turn;
      if (networkId !== undefined) taken.set(networkId, site);
      return true;
    },
    giveBack(networkId) {
      const site = taken.get(networkId);
      if (site !== undefined && taken.delete(networkId)) rates.giveBack(source, site);
    },
    exceeded: () => exceeded,
  };
}
