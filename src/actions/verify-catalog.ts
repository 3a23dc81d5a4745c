// Checks everything that a catalogue has: signatures, versions, expiry, and each bundle.

import { z } from 'zod';
import { acceptBundle, findEntry } from '../core/catalog/catalog-bundle.ts';
import { bundleFile, type CatalogEntry } from '../core/catalog/catalog-files.ts';
import { FILE_SOURCE_LIMITS } from '../core/files/file-limits.ts';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import type { CatalogFiles, OpenCatalog } from '../library/catalog/open-catalog.ts';
import { action, type ActionDeps, localAccessOf } from './action.ts';
import { catalogReferences } from './support/catalog-references.ts';

const Verified = z.object({
  location: z.string(),
  rootVersion: z.int(),
  version: z.int(),
  expires: z.string(),
  entries: z.array(
    z.object({ name: z.string(), version: z.string(), license: z.string().nullable(), hasBundle: z.boolean() }),
  ),
});

export const verifyCatalog = action({
  name: 'verify_catalog',
  summary: 'Check the signatures and all bundles of a catalogue, and list what it has',
  effect: 'network',
  needsAllSources: true,
  input: z.strictObject({
    catalog: z.string().optional().describe('LOCATION#PIN of a catalogue; by default all configured ones'),
    bundles: z.boolean().default(false).describe('Also read every bundle and compare it with its entry'),
  }),
  output: z.object({
    catalogs: z.array(Verified),
    violations: z.array(z.string()).describe('Bundles that do not match their entries'),
  }),
  bindings: {
    cli: {
      command: 'catalog verify',
      group: 'maintain',
      positional: ['catalog'],
      example: 'pinakes catalog verify --bundles',
      paths: ['catalog'],
    },
  },

  async run({ catalog: named, bundles }, deps) {
    const { catalogs: access, signal } = deps;
    const { withCatalogs } = await import('../library/catalog/open-catalog.ts');
    return withCatalogs(catalogReferences(named, deps), { access, signal }, async (opened) => {
      const violations: string[] = [];
      for (const one of bundles ? opened : []) violations.push(...(await checkBundles(one, deps)));
      return { catalogs: opened.map(verified), violations };
    });
  },
});

function verified({ location, root, catalog: { version, expires, entries } }: OpenCatalog): z.input<typeof Verified> {
  return {
    location,
    rootVersion: root.version,
    version,
    expires,
    entries: entries.map(({ name, version: label, license, bundle }) => {
      return { name, version: label, license, hasBundle: bundle !== null };
    }),
  };
}

async function checkBundles(
  { catalog: { entries }, files }: OpenCatalog,
  { signal, onProgress }: ActionDeps,
): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const [nth, entry] of entries.entries()) {
    signal.throwIfAborted();
    const violation = await checkBundle(entry, files);
    if (violation !== null) violations.push(violation);
    onProgress({ step: `${entry.name}@${entry.version}`, done: nth + 1, total: entries.length });
  }
  return violations;
}

async function checkBundle({ bundle, ...entry }: CatalogEntry, files: CatalogFiles): Promise<string | null> {
  if (bundle === null) return null;
  const { required } = await import('../library/catalog/open-catalog.ts');
  try {
    const bytes = await required(files, bundleFile(bundle.sha256), bundle.bytes);
    acceptBundle({ ...entry, bundle }, bytes, FILE_SOURCE_LIMITS);
    return null;
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    return `${entry.name}@${entry.version}: ${error.code}: ${error.message}`;
  }
}

export const rebuildEntry = action({
  name: 'rebuild_entry',
  summary: 'Build an entry of a catalogue again from its package or repository, and compare it to the byte',
  effect: 'network',
  needsAllSources: true,
  input: z.strictObject({
    entry: z.string().min(1).describe('Its name with its version, such as fastify@5.12.8'),
    catalog: z.string().optional().describe('LOCATION#PIN of a catalogue, instead of the configured ones'),
  }),
  output: z.object({
    name: z.string(),
    version: z.string(),
    indexId: z.string(),
    sha256: z.string(),
    program: z.string().describe('The version of the program that built the bundle in the catalogue'),
    violations: z.array(z.string()).describe('How the bundle in the catalogue differs; empty if it is equal'),
  }),
  bindings: {
    cli: {
      command: 'catalog rebuild',
      group: 'maintain',
      positional: ['entry'],
      example: 'pinakes catalog rebuild fastify@5.12.8',
      paths: ['catalog'],
    },
  },

  async run({ entry: wanted, catalog: named }, deps) {
    const { catalogs: access, signal } = deps;
    const { openEntryBuilder } = localAccessOf(deps);
    const { withCatalogs } = await import('../library/catalog/open-catalog.ts');
    const entry = await withCatalogs(catalogReferences(named, deps), { access, signal }, async (opened) =>
      opened.map(({ catalog }) => findEntry(catalog.entries, wanted)).find((one) => one !== null),
    );
    if (entry?.bundle == null) throw pinakesError('catalog.unknown-entry', { entry: wanted });
    const { sha256Hex } = await import('../core/model/hash.ts');
    const builder = await openEntryBuilder();
    try {
      const built = await builder.build(entry);
      const { name, version, bundle } = entry;
      const sha256 = sha256Hex(built.bytes);
      const compared = [
        ['archive', bundle.input, built.input],
        ['index id', bundle.indexId, built.indexId],
        ['SHA-256', bundle.sha256, sha256],
      ] as const;
      const violations = compared.flatMap(([what, there, here]) =>
        there === here ? [] : [`its ${what} is ${there} in the catalogue, and ${here} here`],
      );
      return { name, version, indexId: built.indexId, sha256, program: bundle.program, violations };
    } finally {
      await builder.close();
    }
  },
});
