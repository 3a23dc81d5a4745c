// Catalogues on this machine and behind URLs: reads their files within limits, and keeps what was accepted in the data folder.

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import { pageUrl } from '../core/model/page-url.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { createArchiveFetch, type ArchiveFetch } from '../crawl/archives/archive-fetch.ts';
import type { CatalogAccess, CatalogFiles } from '../library/catalog/open-catalog.ts';
import { makePrivateFolder, systemReason } from '../platform/data-directory.ts';
import { readVersioned, replaceVersioned } from '../platform/versioned-file.ts';
import { openFetcher } from './fetch-and-parse.ts';
import type { AppContext } from './app-context.ts';

/** The part of `CatalogAccess` that is loaded when a catalogue is read. */
export function createCatalogAccess(context: AppContext): Pick<CatalogAccess, 'open' | 'loadTrust' | 'saveTrust'> {
  const { config } = context;
  const folder = join(config.dataDir, 'catalogs');
  return {
    open: async (location, signal) =>
      /^https?:\/\//i.test(location) ? openUrl(location, context, signal) : openFolder(location),
    async loadTrust(name) {
      const { version, text } = await readVersioned(folder, name);
      // Undefined for a damaged one: the caller reports it.
      return { version, state: text === null ? null : (parseJson(text) ?? undefined) };
    },
    async saveTrust(name, version, state) {
      makePrivateFolder(folder);
      return replaceVersioned(folder, name, { version, text: `${JSON.stringify(state)}\n` });
    },
  };
}

function openFolder(folder: string): CatalogFiles {
  return {
    async read(file, maxBytes) {
      try {
        return await readBounded(join(folder, file), file, maxBytes);
      } catch (error) {
        if (error instanceof PinakesError) throw error;
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw pinakesError('catalog.unreachable', { file, reason: systemReason(error) }, error);
      }
    },
    close: async () => undefined,
  };
}

async function readBounded(path: string, file: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const about = await handle.stat();
    if (!about.isFile()) throw pinakesError('catalog.unreachable', { file, reason: 'it is not a file' });
    if (about.size > maxBytes) throw pinakesError('catalog.too-large', { file, maxBytes });
    // A file that grows in the meantime is cut, and then refused for its hash.
    const { buffer, bytesRead } = await handle.read(new Uint8Array(about.size), 0, about.size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** One request at a time, behind the guard and the limits of every other request. */
function openUrl(location: string, context: AppContext, signal: AbortSignal): CatalogFiles {
  const { config } = context;
  let fetcher: ReturnType<typeof openFetcher> | null = null;
  const fetchFile: ArchiveFetch = async (url, options) => {
    const opened = (fetcher ??= openFetcher(config, context));
    return createArchiveFetch((request) => opened.fetch(request, signal), config.fetch.maxRedirects)(url, options);
  };
  return {
    async read(file, maxBytes) {
      const url = pageUrl(`${location.replace(/\/+$/, '')}/${file}`);
      const fetched = await fetchFile(url, { name: file, maxBytes }).catch((error: unknown) => {
        if (error instanceof PinakesError && error.code === 'archive.too-large')
          throw pinakesError('catalog.too-large', { file, maxBytes }, error);
        throw error;
      });
      if (fetched.kind === 'file') return fetched.body;
      if (fetched.kind === 'missing') return null;
      if (fetched.isSlow === true) throw pinakesError('catalog.too-slow', { file, reason: fetched.reason });
      throw pinakesError('catalog.unreachable', { file, reason: fetched.reason });
    },
    close: async () => fetcher?.close(),
  };
}
