// The issuer whose access tokens the server accepts, and which signs people in. Requests to it pass the address guard, which admits its
// host alone.

import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { Config } from '../platform/config/schema.ts';
import type { Issuer } from '../serve/http/http-deps.ts';
import { createAuthorizationCode, type ClientSettings } from '../serve/http/issuer/authorization-code.ts';
import { createIssuerKeys } from '../serve/http/issuer/issuer-keys.ts';
import { createReadMetadata } from '../serve/http/issuer/issuer-metadata.ts';
import { createSignIn, type SessionLookup } from '../serve/http/issuer/sign-in.ts';
import { CALLBACK_PATH } from '../serve/http/issuer/sign-in-routes.ts';
import { createVerifyIssued } from '../serve/http/issuer/verify-issued.ts';
import { createVerifyJwt } from '../serve/http/issuer/verify-jwt.ts';

const TIMEOUT_MS = 10_000;
const MAX_DOCUMENT_BYTES = 262_144;

/** Null without an issuer. The issuer is first contacted when a token arrives. `sessions` is null for a process without a dashboard. */
export function openIssuer({ oauth, fetch }: Config, sessions: SessionLookup | null): Issuer | null {
  const { issuer, jwksUrl, clientId, sessionMinutes } = oauth;
  if (issuer === undefined || oauth.resource === undefined) return null;
  const now = Date.now;
  const resource = oauth.resource.replace(/\/+$/, '');
  const scopes = [oauth.readScope, oauth.adminScope];
  const readJson = async (url: string): Promise<unknown> => {
    const found = await requestJson({ url, headers: {} }, fetch.userAgent);
    if (found === null) throw new Error('the issuer does not have this document');
    return found;
  };
  const readMetadata = createReadMetadata(issuer, readJson, now);
  const verifyJwt = createVerifyJwt(issuer, createIssuerKeys({ issuer, jwksUrl, readMetadata, readJson, now }), now);
  const verify = createVerifyIssued({ ...oauth, issuer, resource }, verifyJwt);
  const about = { verify, metadata: { resource, issuer, scopes } };
  if (clientId === undefined || sessions === null) return { ...about, signIn: null };
  const client: ClientSettings = {
    issuer,
    clientId,
    clientSecret: oauth.clientSecret,
    redirectUrl: new URL(CALLBACK_PATH, resource).href,
    scopes: oauth.clientScopes.length > 0 ? oauth.clientScopes : ['openid', ...scopes],
    // Other audiences are for issuers that do not know resources, and some of them reject a request that names one.
    resource: oauth.audiences.length > 0 ? null : resource,
  };
  const code = createAuthorizationCode(client, {
    readMetadata,
    postFields: (url, fields, headers) => requestJson({ url, fields, headers }, fetch.userAgent),
  });
  const signIn = createSignIn({ client, sessionMinutes, code, verifyJwt, verifyIssued: verify, sessions, now });
  return { ...about, signIn };
}

interface IssuerRequest {
  readonly url: string;
  /** Without them, the request is a GET. */
  readonly fields?: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

/** `url` is configured by the operator, or has the same origin as one that is. Null for an error of the issuer. Raises if it does not answer. */
async function requestJson(request: IssuerRequest, userAgent: string): Promise<unknown> {
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
    ...guardSettingsFor(request.url),
  });
  try {
    const outcome = await createJsonClient(fetcher)({ json: null, ...request });
    if (outcome.kind !== 'answered' || outcome.status >= 500) throw new Error('the issuer does not answer');
    return outcome.status === 200 ? JSON.parse(outcome.body) : null;
  } finally {
    await fetcher.close();
  }
}
