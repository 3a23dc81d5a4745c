// Renders a claimed page in a browser, if the source and the operator allow it, and hands it on as if it had been fetched.

import { robotsAccessVerdict } from '../../core/discover/robots/robots-access.ts';
import { bareMediaType } from '../../core/extract/decode/media-type.ts';
import { parsePageUrl, hostOf } from '../../core/model/page-url.ts';
import type { RenderMode } from '../../core/model/source-settings.ts';
import { hashRouteOf, withHashRoute, withoutHashRoute } from '../../core/url/hash-route.ts';
import type { ParsedPage } from '../../parse/port.ts';
import type { RenderOutcome } from '../../render/port.ts';
import type { Claim, Settlement } from '../../store/port/frontier.ts';
import type { CrawlPorts } from '../context/ports.ts';
import {
  reportBlockedAddress,
  reportBlockedSubresources,
  reportNeedsRendering,
  reportIncompleteRendering,
} from '../context/report-problem.ts';
import type { RunRules } from '../context/run-rules.ts';
import { admitUrl } from '../site/admit-urls.ts';
import { type PageBytes, retryOrFail } from './page-outcome.ts';
import { movedTo, type PageContext, settlementOf } from './page-redirect.ts';

export type RenderedClaim =
  | { readonly kind: 'page'; readonly page: PageBytes }
  | { readonly kind: 'settle'; readonly settlement: Settlement };

/** `never` without a browser, whatever the source asks for. */
export function renderModeOf({ settings }: RunRules, { rendering }: Pick<CrawlPorts, 'rendering'>): RenderMode {
  if (rendering === null || rendering === undefined) return 'never';
  return settings.render ?? rendering.mode;
}

export function isHtml({ mediaType }: PageBytes): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)$/.test(bareMediaType(mediaType) ?? '');
}

/** Whether a page has nothing to read before its scripts have run; a rendered one, even after that. */
export function isShell({ verdict }: ParsedPage, { renderedBy }: PageBytes): boolean {
  if (verdict.kind !== 'not-content') return false;
  return verdict.reason === 'needs-rendering' || (renderedBy !== undefined && verdict.reason === 'near-empty');
}

/** `fetched`: what the server sent, if it was asked before. */
export async function renderClaim(
  claim: Claim,
  fetched: PageBytes | null,
  context: PageContext,
): Promise<RenderedClaim> {
  const { rules, deps, signal } = context;
  const { rendering } = deps.ports;
  if (rendering === null || rendering === undefined) return needsRendering(claim, 'no browser', context);
  if (fetched !== null) await deps.rateLimiter.acquire(hostOf(claim.url), signal);
  const over = new AbortController();
  const outcome = await rendering.renderer
    .render(
      {
        url: claim.url,
        source: String(claim.source),
        headers: rules.headers.headersFor(withoutHashRoute(claim.url)),
        mayRequest: createDataGate(claim, deps, AbortSignal.any([signal, over.signal])),
      },
      signal,
    )
    .finally(() => over.abort());
  if (outcome.kind === 'failed') return failedClaim(claim, outcome, context);
  return renderedClaim(claim, outcome, fetched, context);
}

/**
 * Requests for data of one page obey robots.txt. To the host of the page they wait for its slots, one after the other, so that
 * a page that is over holds none; a page takes no slots of other hosts, whose crawl is not its own. The signal ends with it.
 */
function createDataGate(
  { url, run }: Claim,
  { robots, rateLimiter }: PageContext['deps'],
  signal: AbortSignal,
): (url: string) => Promise<boolean> {
  const own = hostOf(url);
  let turn: Promise<unknown> = Promise.resolve();
  return async (href) => {
    const target = parsePageUrl(href);
    if (target === null) return false;
    const isOwn = hostOf(target) === own;
    const access = await (isOwn ? robots.accessFor(target, run, signal) : robots.accessForData(target, signal));
    // The guard rejects the page too, with its reason.
    const isBlocked = access.kind === 'disallow-all' && access.blockedBy !== undefined;
    if (!isBlocked && !robotsAccessVerdict(access, target).allowed) return false;
    if (!isOwn) return true;
    const slot = turn.then(() => {
      signal.throwIfAborted();
      return rateLimiter.acquire(own, signal);
    });
    turn = slot.catch(() => undefined);
    await slot;
    return true;
  };
}

async function failedClaim(
  claim: Claim,
  failure: Extract<RenderOutcome, { kind: 'failed' }>,
  context: PageContext,
): Promise<RenderedClaim> {
  const { deps } = context;
  if (failure.code === 'render.unavailable') return needsRendering(claim, failure.reason, context);
  if (failure.code === 'fetch.blocked-address') await reportBlockedAddress(claim, failure.reason, deps.report);
  return { kind: 'settle', settlement: settlementOf(claim, retryOrFail(claim, failure, deps)) };
}

async function renderedClaim(
  claim: Claim,
  rendered: Extract<RenderOutcome, { kind: 'rendered' }>,
  fetched: PageBytes | null,
  context: PageContext,
): Promise<RenderedClaim> {
  const settlement = statusSettlement(claim, rendered.status, context) ?? moveOf(claim, rendered.url, context);
  if (settlement !== null) return { kind: 'settle', settlement };
  const { report } = context.deps;
  await reportBlockedSubresources(claim, rendered.refusals, report);
  if (rendered.readiness === 'limit' || rendered.exceeded !== null)
    await reportIncompleteRendering(claim, rendered.exceeded, report);
  const before = fetched ?? { headers: rendered.headers, wireBytes: 0, firstByteMs: 0, totalMs: 0 };
  return {
    kind: 'page',
    page: {
      kind: 'fetched',
      headers: before.headers,
      status: rendered.status,
      mediaType: rendered.markdown === undefined ? 'text/html; charset=utf-8' : 'text/markdown; charset=utf-8',
      body: new TextEncoder().encode(rendered.markdown?.text ?? rendered.html),
      truncated: false,
      // They are those of the shell: what the scripts load may change without it.
      etag: null,
      lastModified: null,
      wireBytes: before.wireBytes + rendered.bytes,
      firstByteMs: before.firstByteMs,
      totalMs: before.totalMs + rendered.totalMs,
      renderedBy: rendered.renderedBy,
      ...(rendered.markdown !== undefined && { renderedLinks: rendered.markdown.links }),
    },
  };
}

function statusSettlement(claim: Claim, status: number, { deps }: PageContext): Settlement | null {
  if (status < 400) return null;
  const reason = `status ${status}` as const;
  if (status === 404 || status === 410)
    return settlementOf(claim, { kind: claim.previous === null ? 'not-found' : 'missing', reason });
  return settlementOf(claim, retryOrFail(claim, { code: 'fetch.status', reason, retryable: status >= 500 }, deps));
}

/** A script may send the page elsewhere, as a redirect does. */
function moveOf(claim: Claim, address: string, context: PageContext): Settlement | null {
  const location = parsePageUrl(address);
  if (location === null) return null;
  const to = withHashRoute(location, hashRouteOf(address));
  const { url } = admitUrl({ href: to, depth: claim.depth }, context.admission);
  return (url ?? to) === claim.url ? null : movedTo(claim, to, context);
}

async function needsRendering(claim: Claim, reason: string, { deps }: PageContext): Promise<RenderedClaim> {
  await reportNeedsRendering(claim, reason, deps.report);
  return { kind: 'settle', settlement: settlementOf(claim, { kind: 'skipped', reason: 'needs-rendering' }) };
}
