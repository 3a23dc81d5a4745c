// A short name for a source that was added without one, from its start.

import type { PageUrl } from './page-url.ts';

const LONGEST = 60;

export function sourceNameOf(start: PageUrl): string {
  const { hostname, pathname, port } = new URL(start);
  const host = hostname.replace(/^www\./, '') + (port === '' ? '' : `-${port}`);
  const path = pathname.replace(/\/[^/]*\.[a-z0-9]+$/i, '').replaceAll('/', '-');
  return `${host}${path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, LONGEST);
}
