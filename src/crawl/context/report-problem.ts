// Reports a problem of a run once per kind and target: a thousand pages with the same problem are one report, and cost
// one write.

import { warningMessage, type ChunkWarning } from '../../core/chunk/chunker.ts';
import { createLruCache } from '../../core/lru-cache.ts';
import { hostOf, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { allowHint } from '../../core/ssrf/allow-hint.ts';
import { hostAndPort } from '../../core/ssrf/ssrf-verdict.ts';
import type { Refusal } from '../../render/port.ts';
import type { Journal, Problem } from '../../store/port/journal.ts';

export type ReportProblem = (problem: Problem) => Promise<void>;

const MAX_CACHE_ENTRIES = 10_000;
const MAX_LISTED_HOSTS = 10;

export function createReportProblem(journal: Journal): ReportProblem {
  const reported = createLruCache<string, true>(MAX_CACHE_ENTRIES);
  return async (problem) => {
    const key = `${problem.run} ${problem.kind} ${problem.target}`;
    if (reported.get(key) === true) return;
    reported.set(key, true);
    await journal.reportProblem(problem);
  };
}

/** A page whose text is not whole. */
function chunkProblem({ run, url }: PageRef, warning: Exclude<ChunkWarning, { kind: 'cut-as-text' }>): Problem {
  const { kind, ...details } = warning;
  return { run, kind, severity: 'warning', scope: 'page', target: url, message: warningMessage(warning), details };
}

/**
 * The problem of a chunking warning, or null for one without a remedy. A package that is not installed is
 * reported once per run, whichever files would need it.
 */
export function reportedChunkProblem(page: PageRef, warning: ChunkWarning): Problem | null {
  if (warning.kind !== 'cut-as-text') return chunkProblem(page, warning);
  if (warning.install === undefined) return null;
  return {
    run: page.run,
    kind: 'grammar-missing',
    severity: 'warning',
    scope: 'run',
    target: warning.install,
    message: `Code was cut as text where ${warning.reason}. Run: npm install ${warning.install}, then crawl again`,
    details: { install: warning.install },
  };
}

/** Where a problem was found. Problems of pages are reported once per host, with a next step. */
interface PageRef {
  readonly run: RunId;
  readonly url: PageUrl;
}

function hostProblem({ run, url }: PageRef) {
  return { run, scope: 'host', target: hostOf(url) } as const;
}

/** The rule that refused a URL, and which setting would let it through. */
function withHint(rule: string, url: string): string {
  const hint = allowHint(url, rule);
  return hint === null ? rule : `${rule}. ${hint}`;
}

export async function reportRobotsUnreachable(page: PageRef, reason: string, report: ReportProblem): Promise<void> {
  await report({
    ...hostProblem(page),
    kind: 'robots-unreachable',
    severity: 'error',
    message: `Its robots.txt cannot be read (${reason}), so the host is not crawled. Start another run when the site is back`,
    details: { reason },
  });
}

export async function reportRobotsSimplified(page: PageRef, rules: number, report: ReportProblem): Promise<void> {
  await report({
    ...hostProblem(page),
    kind: 'robots-simplified',
    severity: 'warning',
    message: `Its robots.txt has too many rules with a *, so ${rules} of them are obeyed more strictly than they are written. Pages may be missing`,
    details: { rules },
  });
}

export async function reportUsageTerms(page: PageRef, rule: string, report: ReportProblem): Promise<void> {
  await report({
    ...hostProblem(page),
    kind: 'usage-terms',
    severity: 'warning',
    message: `Its terms of use do not allow pages such as ${page.url} as input of AI (${rule}), so they were excluded. With the permission of its owner, set --ignore-terms for the source`,
    details: { rule, url: page.url },
  });
}

/** `license`: where the license is described; null if the host does not say. */
export async function reportLicenseRequired(
  page: PageRef,
  license: string | null,
  report: ReportProblem,
): Promise<void> {
  await report({
    ...hostProblem(page),
    kind: 'license-required',
    severity: 'error',
    message: `Pages such as ${page.url} require a license${license === null ? '' : `: ${license}`}. Obtain one from the owner of the site, and pass it with --headers`,
    details: { url: page.url, license },
  });
}

export async function reportBlockedAddress(page: PageRef, rule: string, report: ReportProblem): Promise<void> {
  await report({
    ...hostProblem(page),
    kind: 'blocked-address',
    severity: 'error',
    message: `Refused to connect: ${withHint(rule, page.url)}`,
    details: { rule, url: page.url },
  });
}

/** `reason`: why rendering did not help; null if there is no browser, or the source is not to be rendered. */
export async function reportNeedsRendering(page: PageRef, reason: string | null, report: ReportProblem): Promise<void> {
  const step =
    reason === null
      ? 'Set render.browser to a Chromium that renders them, or look for an llms.txt or a Markdown version of the site and add that instead'
      : `A browser did not help: ${reason}. Look for an llms.txt or a Markdown version of the site and add that instead`;
  await report({
    ...hostProblem(page),
    kind: 'needs-rendering',
    severity: 'warning',
    message: `Pages such as ${page.url} are empty until a browser runs their scripts, so they were skipped. ${step}`,
    details: { url: page.url, ...(reason === null ? {} : { reason }) },
  });
}

/** A page that never came to rest, or made more requests than it may, may be incomplete. `exceeded`: the limit. */
export async function reportIncompleteRendering(
  page: PageRef,
  exceeded: string | null,
  report: ReportProblem,
): Promise<void> {
  const why =
    exceeded === null
      ? 'were still changing when render.readyTimeoutMs had passed, so they were stored as they were then. If text is missing, raise render.readyTimeoutMs and crawl again'
      : `make more than ${exceeded}, so the others were refused. If text is missing, look for an llms.txt or a Markdown version of the site`;
  await report({
    ...hostProblem(page),
    kind: 'render-incomplete',
    severity: 'warning',
    message: `Pages such as ${page.url} ${why}`,
    details: { url: page.url, ...(exceeded === null ? {} : { exceeded }) },
  });
}

/** What the scripts of a page asked for, and the address guard refused. */
export async function reportBlockedSubresources(
  page: PageRef,
  refusals: readonly Refusal[],
  report: ReportProblem,
): Promise<void> {
  const [first] = refusals;
  if (first === undefined) return;
  const { host, port, rule } = first;
  await report({
    ...hostProblem(page),
    kind: 'blocked-subresource',
    severity: 'warning',
    message: `Pages such as ${page.url} load parts from ${host}, which was refused: ${withHint(rule, `http://${hostAndPort(host, port)}/`)}`,
    details: { url: page.url, hosts: [...new Set(refusals.map((one) => one.host))].slice(0, MAX_LISTED_HOSTS) },
  });
}
