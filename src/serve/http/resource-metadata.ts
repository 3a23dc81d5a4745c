// Protected resource metadata (RFC 9728): it tells clients where to get an access token. Every 401 response links to it.

import type { Context, Hono } from 'hono';
import type { Env } from './auth-middleware.ts';
import { METADATA_PATH, METADATA_RESOURCES, type HttpDeps, type ResourceMetadata } from './http-deps.ts';
import { addSignInRoutes } from './issuer/sign-in-routes.ts';
import { addKeyDirectory } from './key-directory.ts';

/** What others read about this server before they trust it, and how people sign in. */
export function addIdentityRoutes(
  app: Hono<Env>,
  deps: Pick<HttpDeps, 'issuer' | 'keyDirectory' | 'audit' | 'now'>,
): void {
  addResourceMetadata(app, deps.issuer?.metadata ?? null);
  addKeyDirectory(app, deps.keyDirectory, deps.now);
  addSignInRoutes(app, deps);
}

function addResourceMetadata(app: Hono<Env>, metadata: ResourceMetadata | null): void {
  if (metadata === null) return;
  for (const path of METADATA_RESOURCES)
    app.get(METADATA_PATH + path, (c) =>
      c.json({
        resource: metadata.resource + path,
        authorization_servers: [metadata.issuer],
        scopes_supported: metadata.scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Pinakes',
      }),
    );
}

/** The value of WWW-Authenticate in a 401. */
export function bearerChallenge(c: Context<Env>, metadata: ResourceMetadata | null): string {
  const isPresented = c.req.header('authorization') !== undefined;
  const error = isPresented ? ['error="invalid_token"'] : [];
  if (metadata === null) return ['Bearer', ...error].join(' ');
  const path = c.req.path === '/mcp' ? c.req.path : '';
  const location = `resource_metadata="${metadata.resource}${METADATA_PATH}${path}"`;
  return `Bearer ${[...error, location, `scope="${metadata.scopes[0] ?? ''}"`].join(', ')}`;
}
