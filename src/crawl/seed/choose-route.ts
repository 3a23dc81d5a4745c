// Chooses, before the first claim, whether and where a host keeps the Markdown of its pages: three fixed pages are probed.

import {
  MARKDOWN_ROUTES,
  markdownProblem,
  markdownRouteVerdict,
  markdownTwin,
  pagesToProbe,
  type RouteProbe,
} from '../../core/discover/markdown/markdown-route.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import { decodeUtf8 } from '../../core/model/decode-utf8.ts';
import { askFile } from '../../operate/ask-file.ts';
import type { AskHost } from '../polite/polite-fetch.ts';
import type { TwinRoute } from '../site/site-profile.ts';

export const MARKDOWN_ACCEPT = 'text/markdown, text/plain;q=0.9, */*;q=0.5';

export async function chooseRoute(pages: readonly PageUrl[], ask: AskHost): Promise<TwinRoute | null> {
  const probed = pagesToProbe(pages);
  for (const route of MARKDOWN_ROUTES) {
    if (route === 'alternate') continue;
    const probes: RouteProbe[] = [];
    for (const page of probed) {
      const contentHash = await probe(page, route, ask);
      probes.push({ page, route, contentHash });
      if (contentHash === null) break;
    }
    if (markdownRouteVerdict(probes).kind === 'route') return route;
  }
  return null;
}

/** Whether the host answers with Markdown where it is asked for a page itself. One page shows it. */
export async function doesNegotiate(pages: readonly PageUrl[], ask: AskHost): Promise<boolean> {
  const [page] = pagesToProbe(pages);
  if (page === undefined) return false;
  const answer = await ask({ url: page, cutAtBytes: 1 });
  return answer.kind === 'fetched' && /^text\/(?:x-)?markdown\b/i.test(answer.mediaType ?? '');
}

async function probe(page: PageUrl, route: TwinRoute, ask: AskHost): Promise<string | null> {
  const twin = markdownTwin(page, route);
  const file = twin === null ? null : await askFile(ask, twin, MARKDOWN_ACCEPT);
  if (file === null) return null;
  const body = decodeUtf8(file.body);
  return markdownProblem({ status: file.status, mediaType: file.mediaType, body }) === null ? sha256Hex(body) : null;
}
