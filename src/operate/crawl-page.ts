// The path of one URL: fetch, parse, judge. The only file that knows the order of the stages.

import { canonicalVerdict, linkCandidates } from '../core/discover/links.ts';
import { robotsAccessVerdict } from '../core/discover/robots-fetch.ts';
import { pageDirectives } from '../core/discover/robots-meta.ts';
import { PinakesError } from '../core/model/errors.ts';
import { sha256Hex } from '../core/model/hash.ts';
import { pageUrl, type PageUrl } from '../core/model/page-url.ts';
import type { FetchOutcome } from '../fetch/port.ts';
import type { ParsedPage } from '../parse/port.ts';
import type { Claim, Outcome, Settlement } from '../store/port.ts';
import { PRESETS } from '../core/model/source-settings.ts';
import { admitUrls, judge, linkUrls, type Admitted, type Gate } from './admit-links.ts';
import { fetchPage } from './fetch-page.ts';
import { followRedirects } from './follow-redirects.ts';
import type { PageDeps } from './page-deps.ts';
import { retryOrFail } from './retry-or-fail.ts';
import type { RunRules } from './run-rules.ts';
import { observe } from './observe-host.ts';
import { storedBody } from './stored-body.ts';

/** What became of a claim: settled, or handed back because the host asked for a pause. */
export type PageResult =
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  | { readonly kind: 'release'; readonly pauseMs: number };

const NO_LINKS: Admitted = { links: [], refused: [] };

export async function crawlPage(
  claim: Claim,
  rules: RunRules,
  deps: PageDeps,
  signal: AbortSignal,
): Promise<PageResult> {
  if (claim.crashes >= deps.limits.poisonAfterCrashes) return settled(claim, { kind: 'failed', reason: 'poison' });
  const refusal = await robotsRefusal(claim.url, deps, signal);
  if (refusal !== null) return settled(claim, refusal);

  const lore = await deps.loreOf(claim.run, claim.version);
  const answer = await fetchPage(claim, lore, deps.stages, signal);
  await observe(claim.url, answer, deps);
  return resultOf(claim, answer, { rules, deps, signal, gate: { rules, robots: deps.robots, route: lore.route } });
}

interface Context {
  readonly rules: RunRules;
  readonly deps: PageDeps;
  readonly signal: AbortSignal;
  readonly gate: Gate;
}

async function resultOf(claim: Claim, answer: FetchOutcome, context: Context): Promise<PageResult> {
  switch (answer.kind) {
    case 'unchanged':
      return settled(claim, { kind: 'unchanged', etag: answer.etag, lastModified: answer.lastModified });
    case 'gone':
      return settled(claim, { kind: claim.known === null ? 'gone' : 'missing', reason: `status ${answer.status}` });
    case 'throttled':
      return { kind: 'release', pauseMs: answer.retryAfterMs ?? 1000 * 2 ** Math.min(claim.attempts, 6) };
    case 'failed':
      return settled(claim, retryOrFail(claim, answer, context.deps));
    case 'redirected':
      return movedTo(claim, await followRedirects(claim.url, answer, context.deps, context.signal), context);
    case 'fetched':
      return parseFetched(claim, answer, context);
  }
}

/** The target is judged as any other URL, then has a claim of its own. */
function movedTo(claim: Claim, end: { to: PageUrl } | { failed: string }, { gate }: Context): PageResult {
  if ('failed' in end) return settled(claim, { kind: 'failed', reason: end.failed });
  const found = { href: end.to, depth: claim.depth, foundBy: claim.foundBy, parent: claim.url };
  const admitted = admitUrls([found], gate);
  const [offer] = admitted.links;
  return settled(claim, { kind: 'moved', to: offer?.url ?? end.to }, admitted);
}

async function parseFetched(
  claim: Claim,
  fetched: Extract<FetchOutcome, { kind: 'fetched' }>,
  context: Context,
): Promise<PageResult> {
  const { stages } = context.deps;
  const { mediaType, headers, body, wireBytes } = fetched;
  let parsed: ParsedPage;
  try {
    parsed = await stages.parser.parse({ url: claim.url, mediaType, headers, body }, context.signal);
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    return settled(
      claim,
      retryOrFail(claim, { code: error.code, reason: error.code, retryable: error.retryable }, context.deps),
    );
  }
  const result = judged(claim, fetched, parsed, context);
  return { kind: 'settle', settlement: { ...result, bytes: wireBytes } };
}

function judged(
  claim: Claim,
  fetched: Extract<FetchOutcome, { kind: 'fetched' }>,
  parsed: ParsedPage,
  context: Context,
): Settlement {
  const { document, facts, verdict } = parsed;
  const directives = pageDirectives(
    [fetched.headers['x-robots-tag'] ?? ''],
    facts.robotsMeta.map((content) => ({ name: 'robots', content })),
  );
  const { candidates } = linkCandidates({
    page: claim.url,
    depth: claim.depth,
    links: document.links,
    follow: directives.follow,
  });
  const follows = PRESETS[context.rules.settings.preset].links;
  const admitted = admitUrls(follows ? linkUrls(candidates, claim.url) : [], context.gate);
  if (!directives.index) return settlementOf(claim, { kind: 'skipped', reason: 'noindex' }, admitted);
  if (verdict.kind === 'not-knowledge') {
    if ('to' in verdict) return aliasOf(claim, pageUrl(verdict.to), context);
    return settlementOf(claim, { kind: 'skipped', reason: verdict.because }, admitted);
  }
  const canonical = canonicalVerdict(
    claim.url,
    document.canonical,
    (url) => judge({ href: url, depth: claim.depth }, context.gate).admit,
  );
  if (canonical.kind === 'alias') return aliasOf(claim, canonical.of, context);
  return settlementOf(claim, contentOutcome(claim, fetched, parsed), admitted);
}

function aliasOf(claim: Claim, to: PageUrl, context: Context): Settlement {
  const result = movedTo(claim, { to }, context);
  return result.kind === 'settle' ? result.settlement : settlementOf(claim, { kind: 'moved', to }, NO_LINKS);
}

function contentOutcome(
  claim: Claim,
  fetched: Extract<FetchOutcome, { kind: 'fetched' }>,
  parsed: ParsedPage,
): Outcome {
  const { document, extractor, chunker } = parsed;
  const madeBy = `${extractor.name}@${extractor.version} ${chunker}`;
  const { etag, lastModified } = fetched;
  const contentHash = sha256Hex(document.text);
  if (claim.known?.contentHash === contentHash && claim.known.madeBy === madeBy)
    return { kind: 'unchanged', etag, lastModified };
  return {
    kind: 'indexed',
    page: {
      title: document.title,
      description: document.description,
      language: document.language,
      mediaType: fetched.mediaType ?? 'application/octet-stream',
      etag,
      lastModified,
      contentHash,
      text: document.text,
      outline: document.outline,
      madeBy,
      facts: {
        kind: parsed.kind.kind,
        confidence: parsed.kind.confidence,
        foundBy: claim.foundBy,
        totalMs: Math.round(fetched.totalMs),
      },
      body: storedBody(parsed.body),
    },
    chunks: parsed.chunks,
  };
}

async function robotsRefusal(url: PageUrl, { robots }: PageDeps, signal: AbortSignal): Promise<Outcome | null> {
  const access = await robots.accessFor(url, signal);
  if (access.kind === 'disallow-all' && access.blockedBy !== undefined)
    return { kind: 'failed', reason: `fetch.blocked-address: ${access.blockedBy}` };
  const verdict = robotsAccessVerdict(access, url);
  return verdict.allowed ? null : { kind: 'skipped', reason: `robots-disallow: ${verdict.because}` };
}

function settled(claim: Claim, outcome: Outcome, admitted: Admitted = NO_LINKS): PageResult {
  return { kind: 'settle', settlement: settlementOf(claim, outcome, admitted) };
}

function settlementOf(claim: Claim, outcome: Outcome, { links, refused }: Admitted): Settlement {
  return { claim, outcome, links, refused, bytes: 0 };
}
