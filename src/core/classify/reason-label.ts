// Reasons of outcomes are codes, which lists are filtered by. People read these words instead.

import type { NotContentReason } from './page-verdict.ts';

const LABELS: Readonly<Record<NotContentReason | 'redirect-stub' | 'noindex', string>> = {
  challenge: 'bot check',
  consent: 'page that only asks about cookies',
  login: 'login page',
  'near-empty': 'nearly empty page',
  'needs-rendering': 'page that is empty without a browser',
  noindex: 'page that asks not to be indexed',
  'redirect-stub': 'page that only leads elsewhere',
  'soft-404': 'error page with status 200',
};

/** The reason itself if it is none of the codes: `fetch.status: status 500`. */
export function reasonLabel(reason: string): string {
  return Object.hasOwn(LABELS, reason) ? LABELS[reason as keyof typeof LABELS] : reason;
}
