// Read-only clients see the names of local folders, not their paths on the server.

import { folderName, isFilePath } from '../core/model/source-name.ts';

/** Actions whose result has the start URLs of sources. */
const SHOW_START_URLS: ReadonlySet<string> = new Set([
  'crawl_status',
  'export_definitions',
  'show_stats',
  'list_sources',
]);

/** The result of an action for a client that may only read. */
export function redactLocalPaths(action: string, result: unknown): unknown {
  return SHOW_START_URLS.has(action) ? redactStartUrls(result) : result;
}

function redactStartUrls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactStartUrls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => {
    const isFolder = key === 'startUrl' && typeof one === 'string' && isFilePath(one);
    return [key, isFolder ? folderName(one) : redactStartUrls(one)];
  });
  return Object.fromEntries(entries) as unknown;
}
