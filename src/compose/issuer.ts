// The issuer whose access tokens the server accepts. Requests to it pass the address guard, which admits its host alone.

import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { Config } from '../platform/config/schema.ts';
import type { Issuer } from '../serve/http/http-deps.ts';
import { createVerifyIssued } from '../serve/http/verify-issued.ts';

const TIMEOUT_MS = 10_000;
const MAX_DOCUMENT_BYTES = 262_144;

/** Null without an issuer. The issuer is first contacted when a token arrives. */
export function openIssuer({ oauth, fetch }: Config): Issuer | null {
  const { issuer, jwksUrl, resource } = oauth;
  if (issuer === undefined || resource === undefined) return null;
  const base = resource.replace(/\/+$/, '');
  const settings = { ...oauth, issuer, jwksUrl, resource: base };
  const scopes = [oauth.readScope, oauth.adminScope];
  return {
    verify: createVerifyIssued(settings, (url) => readJson(url, fetch.userAgent), Date.now),
    metadata: { resource: base, issuer, scopes },
  };
}

/** `url` is configured by the operator, or has the same origin as one that is. */
async function readJson(url: string, userAgent: string): Promise<unknown> {
  const [{ createJsonClient, guardSettingsFor }, { createHttpFetcher }] = await Promise.all([
    import('../fetch/http/json-request.ts'),
    import('../fetch/http/http-fetcher.ts'),
  ]);
  const limits = { timeoutMs: TIMEOUT_MS, headerTimeoutMs: TIMEOUT_MS, idleTimeoutMs: TIMEOUT_MS };
  const fetcher = createHttpFetcher({
    userAgent,
    proxies: proxySettings(process.env),
    maxBodyBytes: MAX_DOCUMENT_BYTES,
    ...limits,
    ...guardSettingsFor(url),
  });
  try {
    const outcome = await createJsonClient(fetcher)({ url, json: null, headers: {} });
    if (outcome.kind !== 'answered' || outcome.status !== 200) throw new Error('the issuer does not answer');
    return JSON.parse(outcome.body);
  } finally {
    await fetcher.close();
  }
}
