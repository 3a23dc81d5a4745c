// Where the folders of a library are on the disk of its server concerns nobody who may only read it: such a client sees their names.

import { folderName, isFilePath } from '../core/model/source-name.ts';

/** Actions whose result has the `start` of sources. */
const SHOW_STARTS: ReadonlySet<string> = new Set(['crawl_status', 'export_sources', 'library_health', 'list_sources']);

/** The result of an action for a client that may only read. */
export function hideFolders(action: string, result: unknown): unknown {
  return SHOW_STARTS.has(action) ? hideStarts(result) : result;
}

function hideStarts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideStarts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => {
    const isFolder = key === 'start' && typeof one === 'string' && isFilePath(one);
    return [key, isFolder ? folderName(one) : hideStarts(one)];
  });
  return Object.fromEntries(entries) as unknown;
}
