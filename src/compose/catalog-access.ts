// Catalogues on this machine and behind URLs: reads their files within limits, and keeps what was accepted in the data folder.

import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import { pageUrl } from '../core/model/page-url.ts';
import { createArchiveFetch, type ArchiveFetch } from '../crawl/archives/archive-fetch.ts';
import type { CatalogAccess, CatalogFiles } from '../library/catalog/open-catalog.ts';
import { makePrivateFolder, systemReason } from '../platform/data-directory.ts';
import { openFileWriter, readText } from '../platform/user-files.ts';
import { openFetcher } from './fetch-and-parse.ts';
import type { AppContext } from './app-context.ts';

/** The part of `CatalogAccess` that is loaded when a catalogue is read. */
export function createCatalogAccess(context: AppContext): Pick<CatalogAccess, 'open' | 'loadTrust' | 'saveTrust'> {
  const { config } = context;
  const trustFile = (name: string): string => join(config.dataDir, 'catalogs', `${name}.json`);
  return {
    open: async (location, signal) =>
      /^https?:\/\//i.test(location) ? openUrl(location, context, signal) : openFolder(location),
    async loadTrust(name) {
      try {
        return JSON.parse(await readText(trustFile(name))) as unknown;
      } catch (error) {
        if (isMissing(error)) return null;
        // Damaged: the caller reports it.
        if (error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
    async saveTrust(name, state) {
      makePrivateFolder(join(config.dataDir, 'catalogs'));
      const text = `${JSON.stringify(state)}\n`;
      const before = await readFile(trustFile(name), 'utf8').catch(() => '');
      if (before === text) return;
      const writer = await openFileWriter(trustFile(name), 'replace');
      await writer.write(new TextEncoder().encode(text));
      await writer.commit();
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
      throw pinakesError('catalog.unreachable', { file, reason: fetched.reason });
    },
    close: async () => fetcher?.close(),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof PinakesError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}
