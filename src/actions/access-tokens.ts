// Access tokens of the HTTP server: each has a name, a role, rights to sources and an expiry. Its secret is shown once; only the hash is
// stored.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { SourcePattern, SourcePatterns } from '../core/model/source-rights.ts';
import type { AccessToken } from '../store/port/tokens.ts';
import { action } from './action.ts';

const TokenName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'must consist of at most 100 letters, digits, dots, dashes and underscores');

const NAME_OF_TOKEN = z.string().min(1).max(100).describe('The name of the token');

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_DAYS = 3650;
const MAX_OVERLAP_HOURS = 720;

export const createToken = action({
  name: 'create_token',
  summary: 'Create an access token for the HTTP server (shown once)',
  effect: 'admin',
  input: z.strictObject({
    name: TokenName.describe('A name for the token'),
    role: z.enum(['read', 'admin']).default('read').describe('read can only query; admin can also change the library'),
    sources: SourcePatterns.optional().describe(
      'Only sources with these names or patterns, such as npm:*; for this token, no other source exists',
    ),
    expiresInDays: z.int().min(1).max(MAX_DAYS).optional().describe('When it expires; never by default'),
    requestsPerMinute: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Its own limit; serve.requestsPerMinute by default'),
  }),
  output: z.object({
    name: z.string(),
    role: z.string(),
    sources: z.array(SourcePattern).nullable().describe('Null for all sources'),
    token: z.string(),
  }),
  bindings: {
    cli: {
      command: 'tokens create',
      group: 'serve',
      positional: ['name'],
      example: "pinakes tokens create laptop --sources 'npm:*' --expires-in-days 90",
    },
    http: { method: 'POST', path: '/tokens', status: 201 },
  },

  async run({ name, role, sources = null, expiresInDays, requestsPerMinute = null }, { store }) {
    const { generateToken } = await import('../platform/access-token.ts');
    const { token, hash } = generateToken();
    const expiresInMs = expiresInDays === undefined ? null : expiresInDays * DAY_MS;
    await store.tokens.add({ name, role, hash, sources, expiresInMs, requestsPerMinute });
    return { name, role, sources: sources === null ? null : [...sources], token };
  },
});

const TokenView = z.object({
  name: z.string(),
  role: z.enum(['read', 'admin']),
  sources: z.array(z.string()).nullable().describe('Names and patterns of its sources; null for all'),
  requestsPerMinute: z.int().nullable().describe('Null: serve.requestsPerMinute applies'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable().describe('Null if it does not expire'),
  lastUsedAt: z.iso.datetime().nullable().describe('Rounded to the hour; null if it was never used'),
  previousSecretUntil: z.iso.datetime().nullable().describe('How long the secret from before the rotation stays valid'),
});

export const listTokens = action({
  name: 'list_tokens',
  summary: 'List the access tokens for the HTTP server',
  effect: 'admin',
  input: z.strictObject({
    limit: z.int().min(1).max(1000).default(100).describe('Maximum number of tokens'),
    cursor: z.string().max(100).optional().describe('`nextCursor` of the previous result'),
  }),
  output: z.object({
    tokens: z.array(TokenView),
    nextCursor: z.string().nullable().describe('Pass it as `cursor` for more; null at the end'),
  }),
  bindings: {
    cli: { command: 'tokens list', group: 'serve', positional: [], example: 'pinakes tokens list' },
    http: { method: 'GET', path: '/tokens' },
  },

  async run({ limit, cursor = null }, { store }) {
    const tokens = await store.tokens.list({ after: cursor, limit });
    return { tokens: tokens.map(viewOf), nextCursor: tokens.length < limit ? null : (tokens.at(-1)?.name ?? null) };
  },
});

function viewOf(token: AccessToken): z.output<typeof TokenView> {
  const { name, role, sources, requestsPerMinute, createdAt, expiresAt, lastUsedAt, previous } = token;
  return {
    name,
    role,
    sources: sources === null ? null : [...sources],
    requestsPerMinute,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    previousSecretUntil: previous?.until.toISOString() ?? null,
  };
}

export const rotateToken = action({
  name: 'rotate_token',
  summary: 'Give an access token a new secret (shown once); the current one stays valid for a while',
  effect: 'admin',
  input: z.strictObject({
    name: NAME_OF_TOKEN,
    overlapHours: z
      .number()
      .min(0)
      .max(MAX_OVERLAP_HOURS)
      .default(24)
      .describe('How long the current secret stays valid; 0 ends it immediately'),
  }),
  output: z.object({ name: z.string(), token: z.string() }),
  bindings: {
    cli: { command: 'tokens rotate', group: 'serve', positional: ['name'], example: 'pinakes tokens rotate laptop' },
    http: { method: 'POST', path: '/tokens/{name}/rotate' },
  },

  async run({ name, overlapHours }, { store }) {
    const { generateToken } = await import('../platform/access-token.ts');
    const { token, hash } = generateToken();
    const isKnown = await store.tokens.rotate(name, hash, Math.round(overlapHours * HOUR_MS));
    if (!isKnown) throw pinakesError('token.unknown', { name });
    return { name, token };
  },
});

export const deleteToken = action({
  name: 'delete_token',
  summary: 'Revoke an access token',
  effect: 'admin',
  input: z.strictObject({ name: NAME_OF_TOKEN }),
  output: z.object({ revoked: z.string() }),
  bindings: {
    cli: { command: 'tokens delete', group: 'serve', positional: ['name'], example: 'pinakes tokens delete laptop' },
    http: { method: 'DELETE', path: '/tokens/{name}' },
  },

  async run({ name }, { store }) {
    if (!(await store.tokens.revoke(name))) throw pinakesError('token.unknown', { name });
    return { revoked: name };
  },
});
