// Sign-in to the dashboard by the issuer: begins it, ends it with a session, and finds the caller of a session. A session has the rights
// that a bearer token of its subject would have had.

import { cleanLine } from '../../../core/extract/decode/clean-text.ts';
import { createLruCache } from '../../../core/lru-cache.ts';
import type { SourceRights } from '../../../core/model/source-rights.ts';
import { hashToken, type Principal, type TokenRole } from '../../../platform/access-token.ts';
import { secretBytes } from '../../../platform/clock.ts';
import { type AuthorizationCode, type ClientSettings, signInFailed } from './authorization-code.ts';
import { decodePending, encodePending } from './cookies.ts';
import type { VerifyIssued } from './verify-issued.ts';
import type { VerifyJwt } from './verify-jwt.ts';

interface StoredSession {
  readonly hash: string;
  readonly principal: string;
  readonly displayName: string;
  readonly role: TokenRole;
  readonly sources: SourceRights;
}

/** Where sessions are stored, for all processes of a library. */
export interface SessionLookup {
  readonly add: (session: StoredSession & { readonly expiresInMs: number }) => Promise<Date>;
  readonly byHashes: (
    hashes: readonly string[],
  ) => Promise<ReadonlyArray<StoredSession & { readonly expiresAt: Date }>>;
  readonly end: (hash: string) => Promise<void>;
}

export interface BegunSignIn {
  /** The page of the issuer. */
  readonly url: string;
  /** For the cookie that binds the sign-in to this browser. */
  readonly pending: string;
  readonly maxAgeSeconds: number;
}

export interface EndedSignIn {
  /** For the session cookie. */
  readonly secret: string;
  readonly maxAgeSeconds: number;
  readonly principal: Principal;
  readonly to: string;
}

export interface SignedIn {
  readonly principal: Principal;
  readonly displayName: string;
}

export interface SignIn {
  /** The public origin of this server, which the issuer returns to. Cookies and requests of sessions are for this origin alone. */
  readonly origin: string;
  /** The host of the issuer, for people. */
  readonly issuerHost: string;
  /** `to` is a path of the dashboard, `session` the secret of the session that the sign-in replaces. Raises `oauth.unavailable`. */
  begin(to: string, session: string | null): Promise<BegunSignIn>;
  /** Raises `sign-in.failed`, `oauth.unavailable`, or `http.forbidden` for a subject without rights. */
  end(response: URLSearchParams, pending: string | null): Promise<EndedSignIn>;
  /** Null unless the session exists and has not expired. */
  find(secret: string): Promise<SignedIn | null>;
  /** The sessions among them that still exist. */
  stillValid(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  signOut(secret: string): Promise<void>;
}

export interface SignInDeps {
  readonly client: ClientSettings;
  readonly sessionMinutes: number;
  readonly code: AuthorizationCode;
  readonly verifyJwt: VerifyJwt;
  readonly verifyIssued: VerifyIssued;
  readonly sessions: SessionLookup;
  readonly now: () => number;
}

const PENDING_MS = 600_000;
const MAX_USED_STATES = 10_000;
const MAX_NAME_CHARS = 80;

export function createSignIn(deps: SignInDeps): SignIn {
  const { client, code, verifyJwt, verifyIssued, sessions, now } = deps;
  const { issuer, clientId, redirectUrl } = client;
  const used = createLruCache<string, true>(MAX_USED_STATES);
  const expiresInMs = deps.sessionMinutes * 60_000;
  /** A session of another issuer or client is not found. */
  const hashOf = (secret: string): string => hashToken(JSON.stringify([issuer, clientId, secret]));

  /** The name in an ID token of the same subject that was made for this sign-in. */
  async function displayNameOf(idToken: string, nonce: string, principal: Principal): Promise<string> {
    const verified = await verifyJwt(idToken, [clientId]);
    if (verified === null) throw signInFailed('the ID token is not valid');
    const { claims } = verified;
    if (claims['nonce'] !== nonce) throw signInFailed('the ID token is of another sign-in');
    const { azp } = claims;
    const isOurs = azp === undefined ? ![claims.aud].flat().some((one) => one !== clientId) : azp === clientId;
    if (!isOurs) throw signInFailed('the ID token is for another client');
    if (`oauth:${claims.sub}` !== principal.token) throw signInFailed('the tokens are of two subjects');
    const names = [claims['name'], claims['preferred_username'], claims['email'], claims.sub];
    const name = names.find((one): one is string => typeof one === 'string' && cleanLine(one) !== '') ?? '';
    return cleanLine(name.slice(0, MAX_NAME_CHARS).toWellFormed()).replaceAll(INVISIBLE, '');
  }

  return {
    origin: new URL(redirectUrl).origin,
    issuerHost: new URL(issuer).host,
    async begin(to, session) {
      const [state, nonce, verifier] = [secretText(), secretText(), secretText()];
      const replaces = session === null ? '' : hashOf(session);
      const pending = { state, nonce, verifier, to, replaces, until: now() + PENDING_MS };
      return { url: await code.request(pending), pending: encodePending(pending), maxAgeSeconds: PENDING_MS / 1000 };
    },
    async end(response, pendingText) {
      const pending = decodePending(pendingText);
      if (pending === null) throw signInFailed('it was not begun in this browser, or it took too long');
      if (!(now() < pending.until)) throw signInFailed('it took too long');
      if (used.get(pending.state) === true) throw signInFailed('it has ended already');
      used.set(pending.state, true);
      const { accessToken, idToken } = await code.exchange(response, pending);
      const principal = await verifyIssued(accessToken);
      if (principal?.token == null) throw signInFailed('the access token of the issuer is not for this server');
      const displayName = await displayNameOf(idToken, pending.nonce, principal);
      const secret = secretText();
      const { token, role, sources } = principal;
      const added = { hash: hashOf(secret), principal: token, displayName, role, sources, expiresInMs };
      await sessions.add(added);
      // The browser does not send the cookie of that session when the issuer leads back.
      if (pending.replaces !== '') await sessions.end(pending.replaces);
      return { secret, maxAgeSeconds: Math.floor(expiresInMs / 1000), principal, to: pending.to };
    },
    async find(secret) {
      const [found] = await sessions.byHashes([hashOf(secret)]);
      if (found === undefined) return null;
      const { principal: token, displayName, role, sources, hash, expiresAt } = found;
      const caller = { token, role, sources, requestsPerMinute: null, secret: null, session: hash, until: +expiresAt };
      return { principal: caller, displayName };
    },
    stillValid: async (hashes) => new Set((await sessions.byHashes(hashes)).map(({ hash }) => hash)),
    signOut: (secret) => sessions.end(hashOf(secret)),
  };
}

/** Characters that would make a name read as another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** 256 random bits. */
function secretText(): string {
  return secretBytes(32).toString('base64url');
}
