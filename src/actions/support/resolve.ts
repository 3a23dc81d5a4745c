// Finds the page that an action is about.

import { z } from 'zod';
import { pinakesError } from '../../core/model/errors.ts';
import { parsePageUrl, type PageUrl } from '../../core/model/page-url.ts';
import type { Source, Store, StoredDocument, Version } from '../../store/port.ts';
import { oneVersion } from '../one-version.ts';

export const WHICH_PAGE = {
  source: z.string().min(1).describe('The name of a source'),
  url: z.string().min(1).max(4000).describe('The URL of the page'),
  version: z.string().optional().describe('The version; the newest unless given'),
};

export interface WhichPage {
  readonly source: string;
  readonly url: string;
  readonly version?: string | undefined;
}

export interface OnePage {
  readonly source: Source;
  readonly version: Version;
  readonly page: StoredDocument;
}

/** Raises `source.unknown`, `version.unknown` or `page.unknown`. */
export async function onePage(store: Store, { source: name, url, version: label }: WhichPage): Promise<OnePage> {
  const { source, version } = await oneVersion(store, name, label);
  const page = await store.pages.get(version.id, parsePageUrl(url) ?? (url as PageUrl));
  if (page === null) throw pinakesError('page.unknown', { page: url });
  return { source, version, page };
}
