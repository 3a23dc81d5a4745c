// What the rules say to some addresses, at once and without asking anybody: the same code that a crawl
// uses. Only robots.txt is left out: it is read by the plan.

import { parsePageUrl } from '../../../src/core/model/page-url.ts';
import { admissionVerdict } from '../../../src/core/url/admission.ts';
import { DEFAULT_QUERY_POLICY } from '../../../src/core/url/query-policy.ts';
import { DEFAULT_TRAP_LIMITS } from '../../../src/core/url/crawl-traps.ts';
import { compileScope, type Breadth, type Scope } from '../../../src/core/url/url-filter.ts';

export interface ScopeWish {
  readonly start: string;
  readonly breadth: Breadth;
  readonly allow: readonly string[];
  readonly block: readonly string[];
}

export interface UrlJudgement {
  readonly url: string;
  readonly isTaken: boolean;
  /** The rule that refused it; empty for one that is taken. */
  readonly rule: string;
}

export type Judged =
  | { readonly kind: 'judged'; readonly urls: readonly UrlJudgement[] }
  /** A pattern cannot be used, or the start is no address. */
  | { readonly kind: 'unusable'; readonly why: string };

export function judgeUrls(wish: ScopeWish, samples: readonly string[]): Judged {
  const start = parsePageUrl(wish.start);
  if (start === null) return { kind: 'unusable', why: 'The start is not an address yet.' };
  try {
    const { breadth, allow, block } = wish;
    const scope = compileScope({ starts: [start], breadth, allow, block, maxDepth: null });
    return { kind: 'judged', urls: samples.map((url) => judge(url, scope)) };
  } catch (error) {
    return { kind: 'unusable', why: error instanceof Error ? error.message : String(error) };
  }
}

function judge(text: string, scope: Scope): UrlJudgement {
  const rules = { scope, robots: () => null, query: DEFAULT_QUERY_POLICY, traps: DEFAULT_TRAP_LIMITS };
  const verdict = admissionVerdict({ href: text, depth: 0 }, rules);
  return verdict.admit
    ? { url: verdict.url, isTaken: true, rule: '' }
    : { url: verdict.url ?? text, isTaken: false, rule: `${verdict.reason}: ${verdict.rule}` };
}
