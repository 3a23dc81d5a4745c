// Decides what a query string is worth: which parameters stay, in which order, and which make a URL not worth asking.

import { QUERY_RULE, type ParameterRule } from '../model/query-rule.ts';
import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { SESSION_PARAMETERS, SKIPPED_PARAMETERS, TRACKING_PARAMETERS } from './query-parameters.table.ts';

export interface QueryPolicy {
  /** By parameter name; a name that ends in `*` is a prefix. These come before the built-in lists. */
  readonly parameters: Readonly<Record<string, ParameterRule>>;
  /** For every parameter that no list names. */
  readonly otherwise: ParameterRule;
}

export const DEFAULT_QUERY_POLICY: QueryPolicy = { parameters: {}, otherwise: 'keep' };

/** Each must be a QUERY_RULE; the first that names a parameter holds. */
export function queryPolicyOf(rules: readonly string[]): QueryPolicy {
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
      readonly kind: 'taken';
      readonly url: PageUrl;
      /** Names that were taken away, each once. */
      readonly dropped: readonly string[];
    }
  | { readonly kind: 'skipped'; readonly parameter: string };

export function queryVerdict(url: PageUrl, policy: QueryPolicy = DEFAULT_QUERY_POLICY): QueryVerdict {
  const mark = url.indexOf('?');
  if (mark === -1) return { kind: 'taken', url, dropped: [] };

  const kept: { readonly name: string; readonly pair: string }[] = [];
  const dropped = new Set<string>();
  for (const pair of url.slice(mark + 1).split('&')) {
    if (pair === '') continue;
    const name = parameterName(pair);
    const rule = ruleFor(name, policy);
    if (rule === 'skip') return { kind: 'skipped', parameter: name };
    if (rule === 'drop') dropped.add(name);
    else kept.push({ name, pair });
  }
  // A stable sort by name: values of one repeated name keep their order, which may mean something.
  kept.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  const query = kept.map(({ pair }) => pair).join('&');
  const rewritten = parsePageUrl(url.slice(0, mark) + (query === '' ? '' : `?${query}`)) ?? url;
  return { kind: 'taken', url: rewritten, dropped: [...dropped] };
}

/** Whether a parameter only counts visitors. */
export function isTrackingParameter(name: string): boolean {
  return listed(name.toLowerCase(), TRACKING);
}

function parameterName(pair: string): string {
  const equals = pair.indexOf('=');
  return equals === -1 ? pair : pair.slice(0, equals);
}

function ruleFor(name: string, policy: QueryPolicy): ParameterRule {
  const lower = name.toLowerCase();
  for (const [spelling, rule] of Object.entries(policy.parameters)) {
    if (listed(lower, nameList([spelling.toLowerCase()]))) return rule;
  }
  if (listed(lower, TRACKING) || listed(lower, SESSION)) return 'drop';
  return listed(lower, SKIPPED) ? 'skip' : policy.otherwise;
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

function listed(name: string, list: NameList): boolean {
  return list.whole.has(name) || list.prefixes.some((prefix) => name.startsWith(prefix));
}
