// Renders pages by a Crawl4AI server. The guard judges the address of the page before it is handed over; what the browser of that
// server requests then is its own affair.

import type { Crawl4AiClient, CrawlOutcome } from '../../ports/crawl4ai.ts';
import type { ErrorCode } from '../../core/model/errors.ts';
import { anySignal } from '../../core/any-signal.ts';
import type { Renderer, RenderOutcome } from '../port.ts';

export interface Crawl4AiRendererOptions {
  readonly client: Crawl4AiClient;
  /** The guard's rule against the address of the page; null if it may be handed over. */
  readonly refusal: (url: string) => Promise<{ readonly rule: string; readonly retryable: boolean } | null>;
  readonly timeoutMs: number;
  /** Size limit of the resulting document. */
  readonly maxBodyBytes: number;
  /** Ends the connections to the server. */
  readonly close: () => Promise<void>;
}

export function createCrawl4AiRenderer(options: Crawl4AiRendererOptions): Renderer {
  const { client, refusal, timeoutMs, maxBodyBytes } = options;
  return {
    async render({ url }, signal) {
      const startMs = performance.now();
      const refused = await refusal(url);
      if (refused !== null) return failure('fetch.blocked-address', refused.rule, refused.retryable);
      const timeout = AbortSignal.timeout(timeoutMs);
      let outcome: CrawlOutcome;
      try {
        outcome = await client.crawl(url, anySignal(signal, timeout));
      } catch (error) {
        if (timeout.aborted && signal?.aborted !== true) return failure('render.timeout', 'no document in time', false);
        throw error;
      }
      if (outcome.kind === 'failed') return failureOf(outcome);
      const { page } = outcome;
      // Some servers send Markdown alone.
      const content = page.html === '' ? page.text : page.html;
      if (content.length > maxBodyBytes) return failure('render.too-large', 'too large', false);
      return {
        kind: 'rendered',
        html: page.html,
        ...(page.html === '' && {
          markdown: { text: page.text, links: [...page.internalLinks, ...page.externalLinks] },
        }),
        url: page.url,
        status: page.status === 0 ? 200 : page.status,
        headers: {},
        renderedBy: 'crawl4ai',
        bytes: content.length,
        totalMs: performance.now() - startMs,
        readiness: 'quiet',
        refusals: [],
        exceeded: null,
      };
    },
    close: options.close,
  };
}

function failure(code: ErrorCode, reason: string, retryable: boolean): RenderOutcome {
  return { kind: 'failed', code, reason, retryable };
}

/** A server that is not there is a renderer that is not there; anything else is about the page. */
function failureOf({ error, retryable }: Extract<CrawlOutcome, { kind: 'failed' }>): RenderOutcome {
  const isMissing = error.code === 'crawl4ai.unavailable';
  return failure(
    isMissing ? 'render.unavailable' : 'render.failed',
    String(error.details['reason'] ?? error.message),
    retryable,
  );
}
