// Installs entries of a catalogue: their bundles, after every check, or where there is none, a crawl by the definition.

import { z } from 'zod';
import { findEntry, requireOwnName } from '../core/catalog/catalog-bundle.ts';
import type { CatalogEntry } from '../core/catalog/catalog-files.ts';
import { pinakesError } from '../core/model/errors.ts';
import { compareText } from '../core/text/compare-text.ts';
import { pluralize } from '../core/text/plural.ts';
import type { CatalogFiles, OpenCatalog } from '../library/catalog/open-catalog.ts';
import { forEachConcurrent } from '../platform/semaphore.ts';
import { action, type ActionDeps } from './action.ts';
import { addSource } from './add-source.ts';
import { catalogReferences } from './support/catalog-references.ts';

const Installed = z.object({
  source: z.string(),
  version: z.string(),
  state: z
    .enum(['installed', 'current', 'crawling'])
    .describe('current: was there already; crawling: it has no bundle, so a run reads it on this machine'),
  pages: z.int().nullable().describe('Null while it is crawled'),
  index: z.string().nullable().describe('Hash of its pages'),
  run: z.int().nullable().describe('The run that crawls it'),
});

type Installed = z.input<typeof Installed>;

/** As many runs as a worker keeps open. */
const CONCURRENCY = 4;

export const installEntries = action({
  name: 'install_entries',
  summary: 'Install documentation from a catalogue, with its signatures checked',
  effect: 'write',
  needsAllSources: true,
  input: z.strictObject({
    entries: z
      .string()
      .min(1)
      .max(100_000)
      .describe('Names with or without a version or a range, separated by spaces, such as npm:zod or fastify@^5'),
    catalog: z.string().optional().describe('LOCATION#PIN of a catalogue, instead of the configured ones'),
  }),
  output: z.object({ entries: z.array(Installed) }),
  bindings: {
    cli: {
      command: 'install',
      group: 'index',
      positional: ['entries'],
      joinsWords: true,
      startsWorker: true,
      example: 'pinakes install fastify@^5 zod',
      paths: ['catalog'],
    },
  },

  async run({ entries: words, catalog }, deps) {
    const { catalogs: access, signal, onProgress } = deps;
    const names = [...new Set(words.split(/\s+/).filter((word) => word !== ''))];
    const references = catalogReferences(catalog, deps);
    const { withCatalogs } = await import('../library/catalog/open-catalog.ts');
    return withCatalogs(references, { access, signal }, async (opened) => {
      const found = names.map((name) => entryNamed(name, opened));
      const installed: Installed[] = [];
      await forEachConcurrent(found, { concurrency: CONCURRENCY, signal }, async ({ entry, files }) => {
        const one = await installOne(entry, files, deps);
        installed.push(one);
        const step = `${one.source} ${one.version}: ${stateOf(one)}`;
        onProgress({ step, done: installed.length, total: found.length });
      });
      return { entries: installed.toSorted((a, b) => compareText(keyOf(a), keyOf(b))) };
    });
  },
});

/** In the first catalogue that has it. */
function entryNamed(
  name: string,
  opened: readonly OpenCatalog[],
): { readonly entry: CatalogEntry; readonly files: CatalogFiles } {
  for (const { catalog, files } of opened) {
    const entry = findEntry(catalog.entries, name);
    if (entry !== null) return { entry, files };
  }
  throw pinakesError('catalog.unknown-entry', { entry: name });
}

function keyOf({ source, version }: Installed): string {
  return `${source}@${version}`;
}

function stateOf({ state, pages }: Installed): string {
  return pages === null ? state : `${state}, ${pluralize(pages, 'page')}`;
}

async function installOne(entry: CatalogEntry, files: CatalogFiles, deps: ActionDeps): Promise<Installed> {
  const { hasBundle, installBundle } = await import('../library/catalog/install-bundle.ts');
  const { name, version, startUrl, settings } = entry;
  if (hasBundle(entry)) {
    const { state, pages, index } = await installBundle(entry, { files, program: deps.catalogs.program }, deps);
    return { source: name, version, state, pages, index, run: null };
  }
  requireOwnName(entry);
  const input = addSource.input.parse({ url: startUrl, name, version, ...settings });
  const { source, run } = await addSource.run(input, deps);
  return { source, version, state: 'crawling', pages: null, index: null, run };
}
