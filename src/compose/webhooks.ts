// How messages to webhooks reach the network: through the guarded fetcher of this program, whatever fetches the pages.

import { createHttpFetcher } from '../fetch/http/http-fetcher.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import { createSendMessage, type SendMessage } from '../library/webhook-message.ts';
import type { Config } from '../platform/config/schema.ts';
import { forbiddenPorts } from './fetch-and-parse.ts';

/** Opens nothing before the first message. */
export function openWebhookSender(
  config: Config,
  listeningOn: readonly number[] = [],
): { readonly send: SendMessage; close(): Promise<void> } {
  const ports = forbiddenPorts(config, listeningOn);
  const { timeoutMs } = config.webhooks;
  const limits = { timeoutMs, headerTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
  const open = () =>
    createHttpFetcher({ ...config.fetch, ...limits, proxies: proxySettings(process.env), ownPorts: () => ports });
  let fetcher: ReturnType<typeof open> | null = null;
  return {
    send: (...message) => createSendMessage((fetcher ??= open()), Date.now)(...message),
    close: async () => fetcher?.close(),
  };
}
