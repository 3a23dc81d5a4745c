// Settings of the server: where it listens, what one caller may take, and what is recorded of callers.

import { z } from 'zod';
import { count, days, delay, enable, lower } from './setting-kinds.ts';

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
    .describe('Connections of one address that have presented no valid token; a further one closes the oldest of them')
    .meta(lower),
  maxBlockedMs: delay(0).describe('How long the main thread may be blocked before the process ends; 0: never'),
  writeTools: z.boolean().default(false).describe('Offer MCP tools that write to the library'),
  writesPerHour: count(60, 1_000_000).describe('Writes to the library per hour allowed for one MCP client').meta(lower),
});

export const auditSettings = z.strictObject({
  reads: z.boolean().default(false).describe('Record calls that only read, too').meta(enable),
  queries: z.boolean().default(false).describe('Keep the text of searches in the audit log'),
  retentionDays: days(365).describe('Days after which entries of the audit log are deleted; 0 keeps them'),
});
