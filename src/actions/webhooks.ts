// Webhooks: where changes are sent, each with a secret that is shown once.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { withSuggestions } from '../core/text/edit-distance.ts';
import { parsePosition, checkPosition } from '../library/change-feed.ts';
import type { Store } from '../store/port.ts';
import type { Webhook } from '../store/port/webhooks.ts';
import { action } from './action.ts';
import { resolveSource } from './support/resolve.ts';

const NAME = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'must consist of at most 100 letters, digits, dots, dashes and underscores');

export const WebhookView = z.object({
  name: z.string(),
  url: z.string(),
  source: z.string().nullable().describe('Only changes of this source; null for all'),
  state: z
    .enum(['active', 'failing', 'disabled'])
    .describe('`failing`: the last attempt failed. `disabled`: the receiver answered 410'),
  pending: z.int().describe('Changes of the library that were not delivered yet'),
  createdAt: z.iso.datetime(),
  deliveredAt: z.iso.datetime().nullable().describe('When a message was last accepted'),
  failures: z.int().describe('Failed attempts since then'),
  failingSince: z.iso.datetime().nullable(),
  lastFailure: z.string().nullable().describe('Why the last attempt failed'),
  nextAttemptAt: z.iso.datetime().nullable().describe('Null if nothing is to be tried again'),
});

export type WebhookView = z.output<typeof WebhookView>;

export const createWebhook = action({
  name: 'create_webhook',
  summary: 'Send changes to a URL; its secret is shown once',
  effect: 'admin',
  input: z.strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .describe('Where messages are posted'),
    name: NAME.optional().describe('A name for the webhook; its host by default'),
    source: z.string().min(1).optional().describe('Only changes of this source'),
    since: z.string().min(1).max(100).default('now').describe('The position after which changes are sent'),
  }),
  output: z.object({ name: z.string(), url: z.string(), source: z.string().nullable(), secret: z.string() }),
  bindings: {
    cli: {
      command: 'webhooks create',
      group: 'serve',
      positional: ['url'],
      example: 'pinakes webhooks create https://hooks.example.com/pinakes --source docs.example.dev',
    },
    http: { method: 'POST', path: '/webhooks', status: 201 },
  },

  async run({ url, name = new URL(url).hostname, source: sourceName, since }, { store, webhooks }) {
    webhooks.requireAdmitted(url);
    const source = sourceName === undefined ? null : (await resolveSource(store, sourceName)).name;
    const { generateSecret } = await import('../library/webhook-message.ts');
    const secret = generateSecret();
    const position = await numberOf(store, since);
    await store.webhooks.add({ name: NAME.parse(name), url, source, secret, position });
    return { name, url, source, secret };
  },
});

async function numberOf({ changes }: Store, since: string): Promise<number> {
  if (since === 'now') return changes.latest();
  const position = parsePosition(since);
  await checkPosition(changes, position);
  return position.number;
}

export const listWebhooks = action({
  name: 'list_webhooks',
  summary: 'List webhooks and their delivery positions',
  effect: 'admin',
  input: z.strictObject({}),
  output: z.object({ webhooks: z.array(WebhookView) }),
  bindings: {
    cli: { command: 'webhooks list', group: 'serve', positional: [], example: 'pinakes webhooks list' },
    http: { method: 'GET', path: '/webhooks' },
  },

  async run(_input, { store }) {
    const latest = await store.changes.latest();
    return { webhooks: (await store.webhooks.list()).map((hook) => webhookView(hook, latest)) };
  },
});

export function webhookView(hook: Webhook, latest: number): WebhookView {
  const { name, url, source, position, failures, lastFailure } = hook;
  const isFailing = failures > 0 && hook.state === 'active';
  return {
    name,
    url,
    source,
    state: isFailing ? 'failing' : hook.state,
    pending: Math.max(0, latest - position),
    createdAt: hook.createdAt.toISOString(),
    deliveredAt: hook.deliveredAt?.toISOString() ?? null,
    failures,
    failingSince: hook.failingSince?.toISOString() ?? null,
    lastFailure,
    nextAttemptAt: isFailing ? hook.dueAt.toISOString() : null,
  };
}

export const deleteWebhook = action({
  name: 'delete_webhook',
  summary: 'Remove a webhook',
  effect: 'admin',
  input: z.strictObject({ name: NAME.describe('The name of the webhook') }),
  output: z.object({ removed: z.string() }),
  bindings: {
    cli: {
      command: 'webhooks delete',
      group: 'serve',
      positional: ['name'],
      example: 'pinakes webhooks delete hooks.example.com',
    },
    http: { method: 'DELETE', path: '/webhooks/{name}' },
  },

  async run({ name }, { store }) {
    if (!(await store.webhooks.remove(name))) throw await unknownWebhook(store, name);
    return { removed: name };
  },
});

export const testWebhook = action({
  name: 'test_webhook',
  summary: 'Send a test message; a success re-enables a failing webhook',
  effect: 'admin',
  input: z.strictObject({ name: NAME.describe('The name of the webhook') }),
  output: z.object({
    name: z.string(),
    isAccepted: z.boolean(),
    detail: z.string().describe('What the receiver answered, or why it was not reached'),
  }),
  bindings: {
    cli: {
      command: 'webhooks test',
      group: 'serve',
      positional: ['name'],
      example: 'pinakes webhooks test hooks.example.com',
    },
    http: { method: 'POST', path: '/webhooks/{name}/test' },
  },

  async run({ name }, { store, webhooks, signal }) {
    const hook = (await store.webhooks.list()).find((one) => one.name === name);
    const secret = await store.webhooks.secretOf(name);
    if (hook === undefined || secret === null) throw await unknownWebhook(store, name);
    const message = { id: `test-${Date.now().toString(36)}`, type: 'test', data: { webhook: name } } as const;
    const outcome = await webhooks.send({ url: hook.url, secret }, message, signal);
    if (outcome.kind !== 'accepted') return { name, isAccepted: false, detail: outcome.reason };
    if (hook.failures > 0 || hook.state === 'disabled') await store.webhooks.enable(name);
    return { name, isAccepted: true, detail: `it answered ${outcome.status}` };
  },
});

async function unknownWebhook(store: Store, name: string): Promise<Error> {
  const names = (await store.webhooks.list()).map((hook) => hook.name);
  return pinakesError('webhook.unknown', { name: withSuggestions(name, names) });
}
