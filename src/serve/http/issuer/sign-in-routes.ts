// Routes of the dashboard's sign-in: to the issuer, back from it, who is signed in, and sign-out.

import type { Context, Hono } from 'hono';
import { pinakesError } from '../../../core/model/errors.ts';
import { auditSession } from '../../audit.ts';
import { createRateLimit } from '../../rate-limit.ts';
import { toPinakesError } from '../../public-error.ts';
import type { Env } from '../auth-middleware.ts';
import type { HttpDeps } from '../http-deps.ts';
import { html, messagePage } from '../ssr/html.ts';
import { isDashboardView } from '../static-files.ts';
import { cookieHeader, cookieNames, readCookie, type CookieValue } from './cookies.ts';
import type { SignIn } from './sign-in.ts';

export const SIGN_IN_PATH = '/sign-in';
export const CALLBACK_PATH = '/sign-in/callback';
/** Who is signed in, if anyone is. */
export const SESSION_PATH = '/session';

/** The limit of one address, which may be that of a proxy: each may cost a request to the issuer. */
const CALLBACKS_PER_MINUTE = 600;

/**
 * The secret of the session cookie; null if the request has none, or has a bearer token, which comes first. Raises `http.forbidden` if
 * another site may have made the browser send it.
 */
export function sessionSecretOf({ req }: Context<Env>, signIn: SignIn | null): string | null {
  if (signIn === null || req.header('authorization') !== undefined || req.path === '/mcp') return null;
  const secret = readCookie(req.header('cookie'), cookieNames(signIn.origin).session);
  if (secret === null) return null;
  const origin = req.header('origin');
  const isReading = req.method === 'GET' || req.method === 'HEAD';
  const isOurs = origin === signIn.origin || (isReading && origin === undefined);
  if (!isOurs) throw pinakesError('http.forbidden', { reason: 'Origin not allowed' });
  return secret;
}

export function addSignInRoutes(
  app: Hono<Env>,
  { issuer, audit, now }: Pick<HttpDeps, 'issuer' | 'audit' | 'now'>,
): void {
  const signIn = issuer?.signIn ?? null;
  app.get(SESSION_PATH, (c) => showSession(c, signIn));
  if (signIn === null) return;
  const attempts = createRateLimit(CALLBACKS_PER_MINUTE, now);
  const { session, pending, isSecure } = cookieNames(signIn.origin);
  const setCookie = (c: Context<Env>, cookie: CookieValue): void =>
    c.header('set-cookie', cookieHeader(cookie, isSecure), { append: true });
  const forget = (c: Context<Env>, name: string, sameSite: CookieValue['sameSite']): void =>
    setCookie(c, { name, value: '', sameSite, maxAgeSeconds: 0 });

  app.get(SIGN_IN_PATH, (c) =>
    orMessage(c, async () => {
      const begun = await signIn.begin(viewOf(c.req.query('to') ?? '/', signIn.origin));
      setCookie(c, { name: pending, value: begun.pending, sameSite: 'Lax', maxAgeSeconds: begun.maxAgeSeconds });
      return c.redirect(begun.url);
    }),
  );
  app.get(CALLBACK_PATH, (c) =>
    orMessage(c, async () => {
      const cookies = c.req.header('cookie');
      const seconds = attempts.take(c.env.incoming.socket.remoteAddress ?? '');
      if (seconds > 0) throw pinakesError('http.rate-limited', { seconds });
      forget(c, pending, 'Lax');
      const ended = await signIn.end(new URL(c.req.url).searchParams, readCookie(cookies, pending));
      // A session that this browser had would outlive its cookie.
      const last = readCookie(cookies, session);
      if (last !== null) await signIn.signOut(last);
      const { secret: value, maxAgeSeconds, principal, to } = ended;
      setCookie(c, { name: session, value, sameSite: 'Strict', maxAgeSeconds });
      await auditSession(audit, { kind: 'sign_in', principal: principal.token, requestId: c.get('requestId') });
      return c.redirect(signIn.origin + viewOf(to, signIn.origin));
    }),
  );
  app.delete(SESSION_PATH, async (c) => {
    const secret = sessionSecretOf(c, signIn);
    const found = secret === null ? null : await signIn.find(secret);
    if (secret !== null) await signIn.signOut(secret);
    forget(c, session, 'Strict');
    if (found !== null)
      await auditSession(audit, { kind: 'sign_out', principal: found.principal.token, requestId: c.get('requestId') });
    return c.body(null, 204);
  });
}

async function orMessage(c: Context<Env>, respond: () => Promise<Response>): Promise<Response> {
  c.header('cache-control', 'no-store');
  try {
    return await respond();
  } catch (error) {
    return failurePage(c, error);
  }
}

async function showSession(c: Context<Env>, signIn: SignIn | null): Promise<Response> {
  c.header('cache-control', 'no-store');
  const principal = c.get('principal') as Env['Variables']['principal'] | undefined;
  const secret = principal?.session == null ? null : sessionSecretOf(c, signIn);
  const name = secret === null ? principal?.token : (await signIn?.find(secret))?.displayName;
  return c.json({
    issuer: signIn === null ? null : { host: signIn.issuerHost, signInUrl: signIn.origin + SIGN_IN_PATH },
    caller: name == null || principal === undefined ? null : callerView(name, principal),
  });
}

function callerView(name: string, { role, sources, session, until }: Env['Variables']['principal']): object {
  return {
    name,
    role,
    sources,
    isSession: session !== null,
    until: until === null ? null : new Date(until).toISOString(),
  };
}

/** A view of the dashboard: any other address, of another site above all, becomes the first one. */
function viewOf(to: string, origin: string): string {
  const url = to.length > MAX_VIEW_CHARS ? null : URL.parse(to, origin);
  return url?.origin === origin && isDashboardView(url.pathname) ? url.pathname + url.search : '/';
}

/** It is part of a cookie, of which browsers store 4 kB. */
const MAX_VIEW_CHARS = 1000;

function failurePage(c: Context<Env>, error: unknown): Response {
  const { code, message, httpStatus, details } = toPinakesError(error);
  if (code === 'http.rate-limited') c.header('retry-after', String(details['seconds']));
  const content = html`<p>${message}.</p>
    ${code === 'oauth.unavailable' ? html`<p>Access tokens of this server still work: the dashboard takes them.</p>` : null}
    <p><a href="${SIGN_IN_PATH}">Sign in again</a> · <a href="/">To the dashboard</a></p>`;
  return c.html(messagePage('You are not signed in', content), httpStatus as 400);
}
