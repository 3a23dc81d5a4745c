// Which URLs a crawl of https://h.test/ would admit, by the product's own rules.

import { pageUrl } from '../../../src/core/model/page-url.ts';
import { admissionVerdict } from '../../../src/core/url/admission.ts';
import { DEFAULT_TRAP_LIMITS } from '../../../src/core/url/crawl-traps.ts';
import { DEFAULT_QUERY_POLICY } from '../../../src/core/url/query-policy.ts';
import { compileUrlFilter } from '../../../src/core/url/url-filter.ts';

const urlFilter = compileUrlFilter({
  starts: [pageUrl('https://h.test/')],
  scope: 'host',
  include: [],
  exclude: [],
  maxDepth: null,
});

/** Without duplicates, in order. */
export function admittedUrls(hrefs: readonly string[]): readonly string[] {
  const rules = { urlFilter, robots: () => null, query: DEFAULT_QUERY_POLICY, traps: DEFAULT_TRAP_LIMITS };
  const verdicts = hrefs.map((href) => admissionVerdict({ href, depth: 1 }, rules));
  return [...new Set(verdicts.flatMap((verdict) => (verdict.admit ? [verdict.url] : [])))];
}
