// The one spelling of a URL. What the WHATWG parser settles (default ports, dot segments, host case) is left to it;
// what it leaves open (fragment, empty query, spelling of escapes, final dot of the host, tracking) is settled here.

import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { normalisePercent } from './percent-encoding.ts';
import { isTrackingParameter } from './query-policy.ts';

export type NormaliseVerdict =
  | {
      readonly ok: true;
      readonly url: PageUrl;
      /** Names of tracking parameters that were taken away. */
      readonly dropped: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

/** Longer text is no address that anybody meant; the limit also bounds the work below. */
const MAX_INPUT = 16_384;

/** An encoded slash beside dots: some servers decode it and climb out of the folder that scope saw. */
const HIDDEN_CLIMB = /(?:^|\/|%2F|%5C)\.\.?(?:%2F|%5C)|(?:%2F|%5C)\.\.?(?:\/|$)/;

/** `/page;jsessionid=…` names a visit, not a page. */
const SESSION_IN_PATH = /;(?:jsessionid|phpsessid|sid)=[^/;]*/gi;

export function normaliseUrl(text: string, base?: PageUrl): NormaliseVerdict {
  if (text.length > MAX_INPUT) return { ok: false, why: `longer than ${MAX_INPUT} characters` };
  const parsed = parsePageUrl(text, base);
  if (parsed === null) return { ok: false, why: 'not an http, https or file address' };

  const url = new URL(parsed);
  const { query, dropped } = withoutTracking(normalisePercent(url.search));
  url.pathname = normalisePercent(url.pathname).replaceAll(SESSION_IN_PATH, '');
  url.search = query;
  if (url.hostname.endsWith('.') && url.hostname.length > 1) url.hostname = url.hostname.slice(0, -1);
  if (HIDDEN_CLIMB.test(url.pathname)) return { ok: false, why: 'an encoded slash hides a change of folder' };
  const normalised = parsePageUrl(url.href);
  return normalised === null
    ? { ok: false, why: 'no spelling of it is an address' }
    : { ok: true, url: normalised, dropped };
}

/** The query is '' where no parameter is left, so that a bare `?` goes too. */
function withoutTracking(search: string): { readonly query: string; readonly dropped: readonly string[] } {
  const kept: string[] = [];
  const dropped = new Set<string>();
  for (const pair of search.slice(1).split('&')) {
    const name = pair.split('=', 1)[0] ?? '';
    if (isTrackingParameter(name)) dropped.add(name);
    else if (pair !== '') kept.push(pair);
  }
  return { query: kept.length === 0 ? '' : `?${kept.join('&')}`, dropped: [...dropped] };
}
