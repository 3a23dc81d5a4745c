// Decides what happens to a query string: which parameters are kept, in which order, and which exclude the URL.

import { QUERY_RULE, type ParameterRule } from '../model/setting-formats.ts';
import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { SESSION_PARAMETERS, SKIPPED_PARAMETERS, TRACKING_PARAMETERS } from './query-parameters.table.ts';
import { compareText } from '../text/compare-text.ts';

export interface QueryPolicy {
  /** By parameter name; a name that ends in `*` is a prefix. They override the built-in lists. */
  readonly parameters: Readonly<Record<string, ParameterRule>>;
  /** For every parameter that is not listed. */
  readonly otherwise: ParameterRule;
}

export const DEFAULT_QUERY_POLICY: QueryPolicy = { parameters: {}, otherwise: 'keep' };

/** Each rule must match QUERY_RULE; the first one for a parameter wins. */
export function parseQueryPolicy(rules: readonly string[]): QueryPolicy {
  const parameters: Record<string, ParameterRule> = {};
  let { otherwise } = DEFAULT_QUERY_POLICY;
  for (const text of rules) {
    const { name = '', rule } = QUERY_RULE.exec(text)?.groups ?? {};
    if (name === '*') otherwise = rule as ParameterRule;
    else parameters[name] ??= rule as ParameterRule;
  }
  return { parameters, otherwise };
}

export type QueryVerdict =
  | {
      readonly kind: 'kept';
      readonly url: PageUrl;
      /** Names of the dropped parameters, each once. */
      readonly dropped: readonly string[];
    }
  | { readonly kind: 'skipped'; readonly parameter: string };

export function queryVerdict(url: PageUrl, policy: QueryPolicy = DEFAULT_QUERY_POLICY): QueryVerdict {
  const queryStart = url.indexOf('?');
  if (queryStart === -1) return { kind: 'kept', url, dropped: [] };

  const remaining: { readonly name: string; readonly pair: string }[] = [];
  const dropped = new Set<string>();
  for (const pair of url.slice(queryStart + 1).split('&')) {
    if (pair === '') continue;
    const name = parameterName(pair);
    const rule = ruleFor(name, policy);
    if (rule === 'skip') return { kind: 'skipped', parameter: name };
    if (rule === 'drop') dropped.add(name);
    else remaining.push({ name, pair });
  }
  // A stable sort by name: the values of a repeated parameter keep their order, which may be significant.
  remaining.sort((a, b) => compareText(a.name, b.name));
  const query = remaining.map(({ pair }) => pair).join('&');
  const rewritten = parsePageUrl(url.slice(0, queryStart) + (query === '' ? '' : `?${query}`)) ?? url;
  return { kind: 'kept', url: rewritten, dropped: [...dropped] };
}

/** Whether a parameter is only used for analytics. */
export function isTrackingParameter(name: string): boolean {
  return isListed(name.toLowerCase(), TRACKING);
}

function parameterName(pair: string): string {
  const equals = pair.indexOf('=');
  return equals === -1 ? pair : pair.slice(0, equals);
}

function ruleFor(name: string, policy: QueryPolicy): ParameterRule {
  const lower = name.toLowerCase();
  for (const [spelling, rule] of Object.entries(policy.parameters)) {
    if (isListed(lower, nameList([spelling.toLowerCase()]))) return rule;
  }
  if (isListed(lower, TRACKING) || isListed(lower, SESSION)) return 'drop';
  return isListed(lower, SKIPPED) ? 'skip' : policy.otherwise;
}

interface NameList {
  readonly whole: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

const TRACKING = nameList(TRACKING_PARAMETERS);
const SESSION = nameList(SESSION_PARAMETERS);
const SKIPPED = nameList(SKIPPED_PARAMETERS);

function nameList(names: readonly string[]): NameList {
  return {
    whole: new Set(names.filter((name) => !name.endsWith('*'))),
    prefixes: names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1)),
  };
}

function isListed(name: string, list: NameList): boolean {
  return list.whole.has(name) || list.prefixes.some((prefix) => name.startsWith(prefix));
}
