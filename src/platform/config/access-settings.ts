// Settings of the server: its address, the limits of each caller, and the audit log.

import { z } from 'zod';
import { GroupSources } from '../../core/model/oauth-claims.ts';
import { count, days, delay, enable, lower, minutes } from './setting-kinds.ts';

export const serveSettings = z.strictObject({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on; any but loopback requires an access token'),
  port: z.int().min(0).max(65_535).default(7465).describe('Port to listen on; 0 picks a free one'),
  allowedHosts: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Host headers accepted in addition to loopback and the own address; a public name requires an access token',
    ),
  allowedOrigins: z
    .array(z.url({ protocol: /^https?$/ }))
    .default([])
    .describe('Origins of other sites that may call the API, such as https://docs.corp.example'),
  requestsPerMinute: count(1200, 1_000_000)
    .describe('Requests per minute allowed for one token, in each process')
    .meta(lower),
  maxRequestsInFlight: count(1000, 100_000)
    .describe('Concurrent authenticated requests; above it, or when memory is low, requests are rejected with 503')
    .meta(lower),
  connectionsPerAddress: count(256, 16_384)
    .describe('Connections of one address without a valid token; a further one closes the oldest of them')
    .meta(lower),
  maxBlockedMs: delay(0).describe('How long the main thread may be blocked before the process ends; 0: never'),
  writeTools: z.boolean().default(false).describe('Offer MCP tools that write to the library'),
  writesPerHour: count(60, 1_000_000).describe('Writes to the library per hour allowed for one MCP client').meta(lower),
});

export const workerSettings = z.strictObject({
  metricsPort: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port on which pinakes worker serves /metrics and its health at serve.host; without it, it listens nowhere',
    ),
});

export const auditSettings = z.strictObject({
  reads: z.boolean().default(false).describe('Also record calls that only read').meta(enable),
  queries: z.boolean().default(false).describe('Record the text of searches in the audit log'),
  retentionDays: days(365).describe('Days after which entries of the audit log are deleted; 0 keeps them'),
});

const issuerUrl = z
  .string()
  .refine(isIssuerUrl, 'must be an https URL without a query, or an http URL of this machine');

export const oauthSettings = z.strictObject({
  issuer: issuerUrl.optional().describe('The issuer whose access tokens are accepted, as in their claim `iss`'),
  jwksUrl: issuerUrl.optional().describe('URL of its public keys; by default the one in its metadata'),
  resource: issuerUrl
    .optional()
    .describe('The public URL of this server, such as https://docs.corp.example: the audience of its access tokens'),
  audiences: z
    .array(z.string().min(1).max(400))
    .default([])
    .describe('Other accepted audiences, for an issuer without resource indicators, such as api://pinakes'),
  readScope: z.string().min(1).default('pinakes:read').describe('Scope or role of a token that may read'),
  adminScope: z.string().min(1).default('pinakes:admin').describe('Scope or role of a token with the role admin'),
  groupsClaim: z
    .string()
    .min(1)
    .max(200)
    .default('groups')
    .describe('The claim with the groups of a subject; dots lead into objects, as in realm_access.roles'),
  sources: z
    .array(GroupSources)
    .max(1000)
    .default([])
    .describe('Sources of each group, such as frontend=npm:*; if empty, every subject has the right to all sources'),
  clientId: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .describe('The client of the dashboard at the issuer; with it, people sign in there'),
  clientSecret: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe('The secret of that client; a public client has none')
    .meta({ secret: true }),
  clientScopes: z
    .array(z.string().min(1).max(400))
    .max(50)
    .default([])
    .describe('Scopes that the dashboard requests; by default openid, oauth.readScope and oauth.adminScope'),
  sessionMinutes: minutes(60).describe(
    'Minutes after which a session of the dashboard ends, and with it the rights it began with',
  ),
});

function isIssuerUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false;
  const isLocal = url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname);
  return isLocal || url.protocol === 'https:';
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
