// The authorization code flow of the dashboard (OAuth 2.1 with PKCE, OpenID Connect): the request to the issuer, and the exchange of its
// code for tokens.

import { createHash } from 'node:crypto';
import { pinakesError } from '../../../core/model/errors.ts';
import type { IssuerMetadata, ReadMetadata } from './issuer-metadata.ts';
import type { PendingSignIn } from './cookies.ts';
import { isSameText } from './cookies.ts';

export interface ClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Without it the client is public, and PKCE alone protects its codes. */
  readonly clientSecret: string | undefined;
  readonly redirectUrl: string;
  readonly scopes: readonly string[];
  /** The resource that its tokens are for (RFC 8707); null for an issuer that does not know resources. */
  readonly resource: string | null;
}

/** Posts fields to the issuer, through the address guard. Null if it answers with an error. Raises if it does not answer. */
export type PostFields = (
  url: string,
  body: URLSearchParams,
  headers: Readonly<Record<string, string>>,
) => Promise<unknown>;

export interface IssuedTokens {
  readonly accessToken: string;
  readonly idToken: string;
}

export interface AuthorizationCode {
  /** Where the browser is sent. Raises `oauth.unavailable`. */
  request(pending: PendingSignIn): Promise<string>;
  /** Raises `sign-in.failed` or `oauth.unavailable`. */
  exchange(response: URLSearchParams, pending: PendingSignIn): Promise<IssuedTokens>;
}

export function createAuthorizationCode(
  settings: ClientSettings,
  { readMetadata, postFields }: { readonly readMetadata: ReadMetadata; readonly postFields: PostFields },
): AuthorizationCode {
  const { issuer, clientId, redirectUrl, scopes, resource } = settings;
  const resourceField = resource === null ? {} : { resource };

  async function endpoints(): Promise<IssuerMetadata> {
    return readMetadata().catch((error: unknown) => {
      throw pinakesError('oauth.unavailable', { issuer }, error);
    });
  }

  return {
    async request({ state, nonce, verifier }) {
      const { authorizationUrl } = await endpoints();
      if (authorizationUrl === null)
        throw signInFailed('its metadata names no authorization endpoint of its own origin');
      const url = new URL(authorizationUrl);
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUrl,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...resourceField,
      }))
        url.searchParams.set(name, value);
      return url.href;
    },
    async exchange(response, pending) {
      const { tokenUrl, namesItself, takesBasic } = await endpoints();
      const code = codeOf(response, pending, { issuer, namesItself });
      if (tokenUrl === null) throw signInFailed('its metadata names no token endpoint of its own origin');
      const { body, headers } = authenticated(settings, takesBasic, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUrl,
        code_verifier: pending.verifier,
        ...resourceField,
      });
      const answer = await postFields(tokenUrl, body, headers).catch((error: unknown) => {
        throw pinakesError('oauth.unavailable', { issuer }, error);
      });
      const { access_token: accessToken, id_token: idToken } = (answer ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof accessToken !== 'string' || typeof idToken !== 'string')
        throw signInFailed('the issuer did not accept its code');
      return { accessToken, idToken };
    },
  };
}

export function signInFailed(reason: string): Error {
  return pinakesError('sign-in.failed', { reason });
}

/** The code, if the response is of the issuer and answers this request. A field that comes twice is a forgery. */
function codeOf(
  response: URLSearchParams,
  { state }: PendingSignIn,
  { issuer, namesItself }: { readonly issuer: string; readonly namesItself: boolean },
): string {
  for (const name of ['state', 'iss', 'code', 'error'])
    if (response.getAll(name).length > 1) throw signInFailed('the response is malformed');
  if (!isSameText(response.get('state') ?? '', state)) throw signInFailed('it was not begun in this browser');
  const named = response.get('iss');
  if (named === null ? namesItself : named !== issuer) throw signInFailed('another issuer responded');
  const error = response.get('error');
  if (error !== null) throw signInFailed(`the issuer refused it${/^[a-z_]{1,60}$/.test(error) ? `: ${error}` : ''}`);
  const code = response.get('code') ?? '';
  if (code === '' || code.length > MAX_CODE_CHARS) throw signInFailed('the response has no code');
  return code;
}

const MAX_CODE_CHARS = 4000;

function authenticated(
  { clientId, clientSecret }: ClientSettings,
  takesBasic: boolean,
  fields: Readonly<Record<string, string>>,
): { readonly body: URLSearchParams; readonly headers: Readonly<Record<string, string>> } {
  const body = new URLSearchParams(fields);
  if (clientSecret !== undefined && takesBasic) {
    const [id, secret] = [clientId, clientSecret].map(urlEncode);
    const login = Buffer.from(`${id}:${secret}`).toString('base64');
    return { body, headers: { authorization: `Basic ${login}` } };
  }
  body.set('client_id', clientId);
  if (clientSecret !== undefined) body.set('client_secret', clientSecret);
  return { body, headers: {} };
}

/** RFC 6749, 2.3.1: both are URL-encoded before they are joined. */
function urlEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
