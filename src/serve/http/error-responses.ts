// Responses for unknown routes and for failures.

import type { Context, Hono } from 'hono';
import { pinakesError } from '../../core/model/errors.ts';
import { errorBody, toPinakesError } from '../public-error.ts';
import type { Env } from './auth-middleware.ts';
import type { HttpDeps } from './http-deps.ts';
import { bearerChallenge } from './resource-metadata.ts';
import { allowedMethods } from './http-routes.ts';

export const MAX_SHOWN_PATH = 200;

export function addErrorResponses(app: Hono<Env>, { log, issuer }: Pick<HttpDeps, 'log' | 'issuer'>): void {
  app.notFound(notFoundResponse);
  app.onError((error, c) => {
    const known = toPinakesError(error);
    if (known.code === 'internal') log.error('a request failed', { error, id: c.get('requestId') });
    if (known.code === 'http.unauthorized') c.header('www-authenticate', bearerChallenge(c, issuer?.metadata ?? null));
    return errorResponse(c, known);
  });
}

function notFoundResponse(c: Context<Env>): Response {
  const path = c.req.path.slice(0, MAX_SHOWN_PATH);
  const allowed = allowedMethods(c.req.path).join(', ');
  if (allowed === '') return errorResponse(c, pinakesError('http.not-found', { path }));
  c.header('allow', allowed);
  return errorResponse(c, pinakesError('http.method-not-allowed', { method: c.req.method, path, allowed }));
}

const RETRYABLE_CODES: ReadonlySet<string> = new Set(['http.rate-limited', 'http.overloaded']);

function errorResponse(c: Context<Env>, error: ReturnType<typeof toPinakesError>): Response {
  if (RETRYABLE_CODES.has(error.code)) c.header('retry-after', String(error.details['seconds']));
  return c.json(errorBody(error, c.get('requestId')), error.httpStatus as 400);
}
