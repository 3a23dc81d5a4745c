// Changes on a terminal, one a line.

import type { ActionOutput } from '../../../actions/actions.ts';
import type { WebhookView } from '../../../actions/webhooks.ts';
import type { ChangeView } from '../../../actions/list-changes.ts';
import { cleanText } from '../../../core/extract/decode/clean-text.ts';
import { displayUrl } from '../../../core/files/file-url.ts';

export function renderChanges({ changes, position, hasMore }: ActionOutput<'list_changes'>): string {
  const lines = changes.map((change) => `${changeLine(change)}\n`).join('');
  const none = changes.length === 0 ? 'No changes.\n' : '';
  return `${lines}${none}${hasMore ? 'There are more. ' : ''}Continue: --since ${position}\n`;
}

export function changeLine(change: ChangeView): string {
  if (change.kind === 'list-end') return `list-end  ${change.position}`;
  const { kind, at, source, version, url, added, removed } = change;
  const label = version === '' ? source : `${source} ${version}`;
  return cleanText(`${at}  ${kind}  ${label}  ${displayUrl(url)}  +${added.length} -${removed.length} chunks`);
}

export function renderWebhooks({ webhooks }: ActionOutput<'list_webhooks'>): string {
  return webhooks.map((hook) => `${webhookLine(hook)}\n`).join('') || 'No webhooks.\n';
}

function webhookLine({ name, url, source, state, pending, failures, failingSince, lastFailure }: WebhookView): string {
  const only = source === null ? '' : `  only ${source}`;
  const why = lastFailure === null ? '' : `  ${failures} failed since ${failingSince ?? ''}: ${lastFailure}`;
  return `${name}  ${state}  ${pending} pending  ${url}${only}${why}`;
}
