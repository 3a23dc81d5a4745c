// An issuer for tests: one user, who is signed in and agrees to everything. Arguments: port, URL of the resource, life of access tokens in
// seconds, and the names of its keys, the one that signs first.

import { createHash, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import Provider from 'oidc-provider';

const [, , port, resource, seconds, ...names] = process.argv;

/** A key keeps its value from one start to the next. */
function keyNamed(name) {
  const file = `key-${createHash('sha256').update(`${port} ${name}`).digest('hex').slice(0, 16)}.json`;
  if (!existsSync(file)) {
    const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
    writeFileSync(file, JSON.stringify({ ...jwk, kid: name, use: 'sig', alg: 'RS256' }), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

const SCOPES = 'pinakes:read pinakes:admin';

const provider = new Provider(`http://127.0.0.1:${port}`, {
  jwks: { keys: names.map(keyNamed) },
  clients: [
    {
      client_id: 'dashboard',
      client_secret: 'a secret: with signs & spaces',
      redirect_uris: [`${resource}/sign-in/callback`],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  scopes: ['openid', ...SCOPES.split(' ')],
  claims: { openid: ['sub', 'name'] },
  conformIdTokenClaims: false,
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, name: 'Ada Lovelace' }) }),
  pkce: { required: () => true },
  ttl: { AccessToken: Number(seconds), Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({ scope: SCOPES, accessTokenTTL: Number(seconds), accessTokenFormat: 'jwt' }),
    },
  },
  async loadExistingGrant(ctx) {
    const { session, client, params } = ctx.oidc;
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope(params.scope);
    if (params.resource !== undefined) grant.addResourceScope(params.resource, params.scope);
    await grant.save();
    return grant;
  },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
});

provider.use(async (ctx, next) => {
  if (!ctx.path.startsWith('/interaction/')) return next();
  await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: 'ada' } });
  ctx.respond = false;
});
provider.listen(Number(port), '127.0.0.1');
