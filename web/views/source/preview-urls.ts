// Previews which URLs the rules of a source include, with the code that a crawl uses and without fetching anything. What
// robots.txt says about a URL comes from the plan, which reads it.

import { parsePageUrl } from '../../../src/core/model/page-url.ts';
import { admissionVerdict } from '../../../src/core/url/admission.ts';
import { DEFAULT_QUERY_POLICY } from '../../../src/core/url/query-policy.ts';
import { DEFAULT_TRAP_LIMITS } from '../../../src/core/url/crawl-traps.ts';
import { compileUrlFilter, type CrawlScope, type UrlFilter } from '../../../src/core/url/url-filter.ts';

export interface UrlFilterInput {
  readonly startUrl: string;
  readonly scope: CrawlScope;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface PreviewedUrl {
  readonly url: string;
  /** The rule of robots.txt that excludes it; null if there is none, or if it is not known. */
  readonly robotsRule: string | null;
}

export interface UrlVerdict {
  readonly url: string;
  readonly isIncluded: boolean;
  /** The rule that excluded it; empty for a URL that is included. */
  readonly rule: string;
}

export type UrlPreview =
  | { readonly kind: 'verdicts'; readonly verdicts: readonly UrlVerdict[] }
  /** A pattern or the start URL is invalid. */
  | { readonly kind: 'invalid'; readonly message: string };

export function previewUrls(input: UrlFilterInput, urls: readonly PreviewedUrl[]): UrlPreview {
  const start = parsePageUrl(input.startUrl);
  if (start === null) return { kind: 'invalid', message: 'The start URL is not valid yet.' };
  try {
    const { scope, include, exclude } = input;
    const urlFilter = compileUrlFilter({ starts: [start], scope, include, exclude, maxDepth: null });
    return { kind: 'verdicts', verdicts: urls.map((url) => previewUrl(url, urlFilter)) };
  } catch (error) {
    return { kind: 'invalid', message: error instanceof Error ? error.message : String(error) };
  }
}

function previewUrl({ url: href, robotsRule }: PreviewedUrl, urlFilter: UrlFilter): UrlVerdict {
  const rules = { urlFilter, robots: () => null, query: DEFAULT_QUERY_POLICY, traps: DEFAULT_TRAP_LIMITS };
  const verdict = admissionVerdict({ href, depth: 0 }, rules);
  if (verdict.admit && robotsRule !== null) return { url: verdict.url, isIncluded: false, rule: robotsRule };
  return verdict.admit
    ? { url: verdict.url, isIncluded: true, rule: '' }
    : { url: verdict.url ?? href, isIncluded: false, rule: `${verdict.reason}: ${verdict.rule}` };
}
