// A page as a batch loader returns it: text, a deterministic id and flat metadata, the form that vector stores and frameworks
// take. Names are those of LlamaIndex.

import { uuidOf } from '../../core/export/records/page-records.ts';

/**
 * Text and numbers, never null: what is unknown is `''` or 0.
 *
 * @example
 * const labelOf = ({ title, source_url }: PageMetadata): string => title || source_url;
 */
export interface PageMetadata {
  /** The URL as it was given. */
  readonly source: string;
  /** The same, under the name by which vector stores find what to replace. */
  readonly source_url: string;
  readonly title: string;
  readonly description: string;
  readonly status_code: number;
  /** ISO 8601. */
  readonly crawl_timestamp: string;
  readonly internal_links_count: number;
  readonly external_links_count: number;
  readonly source_type: 'web_crawl';
}

/**
 * @example
 * const documentOf = ({ id_, text, metadata }: LoadedPage) => ({ id: id_, text, title: metadata.title });
 */
export interface LoadedPage {
  /** The first 16 bytes of the SHA-256 of the URL as it was given, as a UUID is written. */
  readonly id_: string;
  /** Markdown. */
  readonly text: string;
  readonly metadata: PageMetadata;
  readonly excludedLlmMetadataKeys: readonly string[];
  readonly excludedEmbedMetadataKeys: readonly string[];
}

export interface PageFields {
  readonly text: string;
  readonly title: string;
  readonly description: string;
  readonly status: number;
  readonly crawledAt: string;
  readonly internalLinks: number;
  readonly externalLinks: number;
}

export function loadedPage(url: string, fields: PageFields): LoadedPage {
  return {
    id_: uuidOf(url),
    text: fields.text,
    metadata: {
      source: url,
      source_url: url,
      title: fields.title,
      description: fields.description,
      status_code: fields.status,
      crawl_timestamp: fields.crawledAt,
      internal_links_count: fields.internalLinks,
      external_links_count: fields.externalLinks,
      source_type: 'web_crawl',
    },
    excludedLlmMetadataKeys: [],
    excludedEmbedMetadataKeys: [],
  };
}
