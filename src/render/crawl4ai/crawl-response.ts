// The response of a Crawl4AI server to a crawl of one URL: the result itself, or a list with one result. The text comes from
// a page, so nothing of its form is taken for granted and everything is bounded.

import { z } from 'zod';
import { parseJson } from '../../core/text/parse-json.ts';
import type { CrawledPage } from '../../ports/crawl4ai.ts';

export type CrawlResponse =
  | { readonly kind: 'crawled'; readonly page: CrawledPage }
  /** The server could not crawl the page. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'malformed' };

const text = z.string().catch('');
const links = z.array(z.unknown()).catch([]);

const Markdown = z
  .union([
    z.string().transform((whole) => whole),
    z
      .object({ fit_markdown: text, raw_markdown: text })
      .transform(({ fit_markdown: fit, raw_markdown: raw }) => fit || raw),
  ])
  .catch('');

const Result = z.object({
  url: text,
  success: z.boolean().catch(false),
  error_message: text,
  status_code: z.int().min(0).catch(0),
  crawl_timestamp: text,
  markdown: Markdown,
  html: text,
  metadata: z.object({ title: text, description: text }).catch({ title: '', description: '' }),
  links: z.object({ internal: links, external: links }).catch({ internal: [], external: [] }),
});

const Body = z.union([
  z.object({ results: z.tuple([Result], Result) }).transform(({ results }) => results[0]),
  z.looseObject({}).pipe(Result),
]);

const MAX_REASON_CHARS = 500;
const MAX_LINKS = 20_000;

export function parseCrawlResponse(body: string, requestedUrl: string): CrawlResponse {
  const parsed = Body.safeParse(parseJson(body));
  if (!parsed.success) return { kind: 'malformed' };
  const { url, success, markdown, metadata, status_code: status, crawl_timestamp: crawledAt } = parsed.data;
  if (!success) {
    const reason = parsed.data.error_message.trim().slice(0, MAX_REASON_CHARS);
    return { kind: 'failed', reason: reason === '' ? 'Unknown error' : reason };
  }
  if (markdown.trim() === '') return { kind: 'empty' };
  const { internal, external } = parsed.data.links;
  return {
    kind: 'crawled',
    page: {
      url: url === '' ? requestedUrl : url,
      text: markdown,
      html: parsed.data.html,
      ...metadata,
      status,
      crawledAt,
      internalLinks: hrefsOf(internal),
      externalLinks: hrefsOf(external),
    },
  };
}

const Href = z.union([z.string(), z.object({ href: text }).transform(({ href }) => href)]).catch('');

function hrefsOf(found: readonly unknown[]): readonly string[] {
  return found.slice(0, MAX_LINKS).map((link) => Href.parse(link));
}
