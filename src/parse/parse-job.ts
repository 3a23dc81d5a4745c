// What a parsing thread can be asked to do, and what comes back. The thread around it brings the limits.

import { splitLlmsFull } from '../core/discover/llms/split-llms-full.ts';
import { parseLlmsTxt } from '../core/discover/llms/llms-txt.ts';
import { createSitemapReader } from '../core/discover/sitemap/sitemap.ts';
import { DEFAULT_SITEMAP_LIMITS } from '../core/discover/sitemap/sitemap-entry.ts';
import { charsetOfContentType, decodeBody } from '../core/extract/decode/charset.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import { parsePage, type PageTools } from './parse-page.ts';
import type { JobResults, LlmsFullBody } from './port.ts';

export type ParseJob =
  | { readonly kind: 'page'; readonly input: RawPage }
  | { readonly kind: 'sitemap'; readonly input: RawPage }
  | { readonly kind: 'llms-txt'; readonly input: RawPage }
  | { readonly kind: 'llms-full'; readonly input: LlmsFullBody }
  /** Its input is empty. */
  | { readonly kind: 'makers'; readonly input: RawPage };

/** As many as the protocol allows; handing over more at once would hold up the caller's thread. */
const SITEMAP_LIMITS = { ...DEFAULT_SITEMAP_LIMITS, maxEntries: 50_000 };

export async function runJob(job: ParseJob, tools: PageTools): Promise<JobResults[ParseJob['kind']]> {
  switch (job.kind) {
    case 'page':
      return parsePage(job.input, tools);
    case 'sitemap': {
      const reader = createSitemapReader(job.input.url, SITEMAP_LIMITS);
      reader.push(job.input.body);
      return reader.end();
    }
    case 'llms-txt':
      return parseLlmsTxt(textOf(job.input), job.input.url);
    case 'llms-full':
      return splitLlmsFull({ text: textOf(job.input), url: job.input.url, known: job.input.known });
    case 'makers':
      return makersOf(tools);
  }
}

function makersOf({ registry, chunkers }: PageTools): readonly string[] {
  return [...registry.extractors.map(({ name, version }) => `${name}@${version}`), ...chunkers.versions()];
}

function textOf({ body, mediaType }: RawPage): string {
  return decodeBody(body, charsetOfContentType(mediaType));
}
