// Normalises URLs. The WHATWG parser takes care of default ports, dot segments and host case; this file of the rest:
// fragment, empty query, percent-encoding, final dot of the host, tracking parameters.

import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { normalizePercent } from './percent-encoding.ts';
import { isTrackingParameter } from './query-policy.ts';

export type NormalizeVerdict =
  | {
      readonly ok: true;
      readonly url: PageUrl;
      /** Names of tracking parameters that were stripped. */
      readonly dropped: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** Longer text is never a real URL; the limit also bounds the work below. */
const MAX_INPUT_CHARS = 16_384;

/** An encoded slash next to dots: some servers decode it, and the path leaves the folder that the filter checked. */
const ENCODED_TRAVERSAL = /(?:^|\/|%2F|%5C)\.\.?(?:%2F|%5C)|(?:%2F|%5C)\.\.?(?:\/|$)/;

/** `/page;jsessionid=…` identifies a session, not a page. */
const SESSION_IN_PATH = /;(?:jsessionid|phpsessid|sid)=[^/;]*/gi;

export function normalizeUrl(text: string, base?: PageUrl): NormalizeVerdict {
  if (text.length > MAX_INPUT_CHARS) return { ok: false, reason: `longer than ${MAX_INPUT_CHARS} characters` };
  const parsed = parsePageUrl(text, base);
  if (parsed === null) return { ok: false, reason: 'not an http, https or file URL' };

  const url = new URL(parsed);
  const { query, dropped } = stripTracking(normalizePercent(url.search));
  url.pathname = normalizePercent(url.pathname).replaceAll(SESSION_IN_PATH, '');
  url.search = query;
  if (url.hostname.endsWith('.') && url.hostname.length > 1) url.hostname = url.hostname.slice(0, -1);
  if (ENCODED_TRAVERSAL.test(url.pathname)) return { ok: false, reason: 'an encoded slash hides a path traversal' };
  const normalized = parsePageUrl(url.href);
  return normalized === null
    ? { ok: false, reason: 'not a URL after normalisation' }
    : { ok: true, url: normalized, dropped };
}

/** The query is '' if no parameter is left, so that a bare `?` is removed too. */
function stripTracking(search: string): { readonly query: string; readonly dropped: readonly string[] } {
  const remaining: string[] = [];
  const dropped = new Set<string>();
  for (const pair of search.slice(1).split('&')) {
    const name = pair.split('=', 1)[0] ?? '';
    if (isTrackingParameter(name)) dropped.add(name);
    else if (pair !== '') remaining.push(pair);
  }
  return { query: remaining.length === 0 ? '' : `?${remaining.join('&')}`, dropped: [...dropped] };
}
