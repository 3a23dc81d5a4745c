// What a request says about a session: the paths that lead to one, and the secret in its cookie.

import type { Context } from 'hono';
import { pinakesError } from '../../../core/model/errors.ts';
import { cookieNames, readCookie } from './cookies.ts';
import type { SignIn } from './sign-in.ts';

export const SIGN_IN_PATH = '/sign-in';
export const CALLBACK_PATH = '/sign-in/callback';
/** Who is signed in, if anyone is. */
export const SESSION_PATH = '/session';

/**
 * The secret of the session cookie; null if the request has none, or has a bearer token, which comes first. Raises `http.forbidden` if
 * another site may have made the browser send it.
 */
export function sessionSecretOf({ req }: Pick<Context, 'req'>, signIn: SignIn | null): string | null {
  if (signIn === null || req.header('authorization') !== undefined || req.path === '/mcp') return null;
  const secret = readCookie(req.header('cookie'), cookieNames(signIn.origin).session);
  if (secret === null) return null;
  const origin = req.header('origin');
  const isReading = req.method === 'GET' || req.method === 'HEAD';
  const isOurs = origin === signIn.origin || (isReading && origin === undefined);
  if (!isOurs) throw pinakesError('http.forbidden', { reason: 'Origin not allowed' });
  return secret;
}
