// Which of some addresses a crawl of https://h.test/ would take, by the product's own rules.

import { admissionVerdict } from '../../src/core/url/admission.ts';
import { DEFAULT_QUERY_POLICY } from '../../src/core/url/query-policy.ts';
import { compileScope } from '../../src/core/url/url-filter.ts';
import { DEFAULT_TRAP_LIMITS } from '../../src/core/url/crawl-traps.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';

const scope = compileScope({
  starts: [pageUrl('https://h.test/')],
  breadth: 'host',
  allow: [],
  block: [],
  maxDepth: null,
});

/** Each once, in order. */
export function admitted(hrefs: readonly string[]): readonly string[] {
  const rules = { scope, robots: () => null, query: DEFAULT_QUERY_POLICY, traps: DEFAULT_TRAP_LIMITS };
  const verdicts = hrefs.map((href) => admissionVerdict({ href, depth: 1 }, rules));
  return [...new Set(verdicts.flatMap((verdict) => (verdict.admit ? [verdict.url] : [])))];
}
