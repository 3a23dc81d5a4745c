// What the publisher of a catalogue does: keys, the root that says which of them count, and the bundles with their list.

import { z } from 'zod';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UNPUBLISHED_FOLDER } from '../core/catalog/catalog-files.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { PublishDeps } from '../library/catalog/publish-catalog.ts';
import type { SigningKey } from '../library/catalog/signing-keys.ts';
import { systemReason } from '../platform/data-directory.ts';
import { action, type ActionDeps, localAccessOf } from './action.ts';

const KeyFiles = z.array(z.string().min(1)).min(1).max(50);
const days = (value: number) => z.int().min(1).max(3650).default(value);

export const createCatalogKey = action({
  name: 'create_catalog_key',
  summary: 'Create a key that signs a catalogue, as a file that only you may read',
  effect: 'network',
  needsAllSources: true,
  input: z.strictObject({ file: z.string().min(1).describe('The file to write; it must not exist') }),
  output: z.object({ file: z.string(), keyId: z.string() }),
  bindings: {
    cli: {
      command: 'catalog key',
      group: 'maintain',
      positional: ['file'],
      example: 'pinakes catalog key root.pem',
      paths: ['file'],
    },
  },

  async run({ file }, deps) {
    localAccessOf(deps);
    const { generateSigningKey, parseSigningKey } = await import('../library/catalog/signing-keys.ts');
    const pem = generateSigningKey();
    await writeFile(file, pem, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
      throw pinakesError('export.refused', { path: file, reason: systemReason(error) }, error);
    });
    return { file, keyId: parseSigningKey(file, pem).keyId };
  },
});

export const createCatalogRoot = action({
  name: 'create_catalog_root',
  summary: 'Say which keys sign a catalogue: the first time, and whenever a key changes',
  effect: 'network',
  needsAllSources: true,
  input: z.strictObject({
    out: z.string().min(1).describe('The folder of the catalogue'),
    rootKeys: KeyFiles.describe('Files of the keys that sign the root; keep them offline'),
    threshold: z.int().min(1).max(50).default(1).describe('How many of them must sign'),
    keys: KeyFiles.describe('Files of the keys that sign the catalogue; a public key is enough here'),
    catalogThreshold: z.int().min(1).max(50).default(1).describe('How many of them must sign'),
    timestampKeys: KeyFiles.optional().describe(
      'Files of the keys that sign the timestamp; those of the catalogue by default',
    ),
    signers: KeyFiles.optional().describe(
      'Files of the keys that signed the root before, if they are not among its keys now',
    ),
    days: days(365).describe('Days after which the keys expire'),
  }),
  output: z.object({
    version: z.int(),
    expires: z.string(),
    pin: z.string().describe('What users write after # in catalog.locations; it never changes'),
  }),
  bindings: {
    cli: {
      command: 'catalog root',
      group: 'maintain',
      positional: ['out'],
      example: 'pinakes catalog root ./public --root-keys root.pem --keys catalog.pem',
      paths: ['out'],
    },
  },

  async run({ out, rootKeys, threshold, keys, catalogThreshold, timestampKeys, signers = [], days: valid }, deps) {
    const { publishRoot } = await import('../library/catalog/publish-catalog.ts');
    const catalog = await readKeys(keys, deps);
    const roles = {
      root: await readKeys(rootKeys, deps),
      threshold,
      catalog,
      catalogThreshold,
      timestamp: timestampKeys === undefined ? catalog : await readKeys(timestampKeys, deps),
      before: await readKeys(signers, deps),
    };
    return publishRoot(roles, valid, await publishDeps(out, deps));
  },
});

export const buildCatalog = action({
  name: 'build_catalog',
  summary: 'Build the bundles of a catalogue from its definitions, and sign the list of them',
  effect: 'network',
  needsAllSources: true,
  input: z.strictObject({
    definitions: z.string().min(1).describe('A folder with one YAML file for each entry'),
    out: z.string().min(1).describe('The folder of the catalogue, which has its root'),
    keys: KeyFiles.describe('Files of the private keys that sign the catalogue and its timestamp'),
    days: days(30).describe('Days after which the catalogue expires; build it again before'),
  }),
  output: z.object({
    version: z.int(),
    expires: z.string(),
    pin: z.string(),
    entries: z.int(),
    bundles: z.int(),
    built: z.int().describe('Entries that were not built before'),
    violations: z.array(z.string()).describe('Entries that could not be built, which the catalogue does not have'),
  }),
  bindings: {
    cli: {
      command: 'catalog build',
      group: 'maintain',
      positional: ['definitions'],
      example: 'pinakes catalog build ./catalogue --out ./public --keys catalog.pem',
      paths: ['definitions', 'out'],
    },
  },

  async run({ definitions: folder, out, keys: keyFiles, days: valid }, deps) {
    const { files, openEntryBuilder } = localAccessOf(deps);
    const { readEntryDefinitions } = await import('../library/catalog/read-definitions.ts');
    const { buildEntries } = await import('../library/catalog/build-entries.ts');
    const { publishedEntries, publishEntries } = await import('../library/catalog/publish-catalog.ts');
    const keys = await readKeys(keyFiles, deps);
    const definitions = await readEntryDefinitions(folder, files, deps.signal);
    const publish = await publishDeps(out, deps);
    const before = await publishedEntries(publish);
    const builder = await openEntryBuilder();
    try {
      const onEntry = (entry: string, state: string, done: number, total: number): void =>
        deps.onProgress({ step: `${entry}: ${state}`, done, total });
      const { program } = deps.catalogs;
      const building = { ...publish, builder, program, onEntry, signal: deps.signal };
      const { entries, built, failed } = await buildEntries(definitions, before, building);
      const published = await publishEntries(entries, { keys, days: valid }, publish);
      await rm(join(out, UNPUBLISHED_FOLDER), { recursive: true, force: true });
      const bundles = entries.filter(({ bundle }) => bundle !== null).length;
      return { ...published, entries: entries.length, bundles, built, violations: [...failed] };
    } finally {
      await builder.close();
    }
  },
});

async function readKeys(files: readonly string[], deps: ActionDeps): Promise<readonly SigningKey[]> {
  const { readText } = localAccessOf(deps);
  const { parseSigningKey } = await import('../library/catalog/signing-keys.ts');
  return Promise.all(files.map(async (file) => parseSigningKey(file, await readText(file))));
}

async function publishDeps(out: string, deps: ActionDeps): Promise<PublishDeps> {
  const { catalogs, signal } = deps;
  const { openWriter } = localAccessOf(deps);
  return {
    files: await catalogs.open(out, signal),
    now: catalogs.now,
    async write(file, bytes) {
      const path = join(out, file);
      await mkdir(dirname(path), { recursive: true });
      const writer = await openWriter(path, 'replace');
      try {
        await writer.write(bytes);
        await writer.commit();
      } finally {
        await writer.discard();
      }
    },
    remove: (file) => rm(join(out, file), { force: true }),
  };
}
