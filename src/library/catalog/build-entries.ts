// Builds the entries of a catalogue from their definitions, each in a library that has nothing else. What was built before from the same
// definition by the same program is kept, whether it was published or its build was stopped before that.

import {
  bundleFile,
  CatalogEntry,
  MAX_BUNDLE_BYTES,
  unpublishedFile,
  type CatalogBundle,
} from '../../core/catalog/catalog-files.ts';
import { isRedistributable } from '../../core/catalog/redistributable.ts';
import { canonicalJson } from '../../core/catalog/signed-file.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import { SourceSettings } from '../../core/model/source-settings.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { forEachConcurrent } from '../../platform/semaphore.ts';
import type { PublishDeps } from './publish-catalog.ts';
import { canBundle, type EntryDefinition } from './read-definitions.ts';

export interface BuiltBundle {
  readonly bytes: Uint8Array;
  readonly indexId: string;
  /** The hash of the package archive, or the id of the commit. */
  readonly input: string;
  /** What the package itself states; null if it states nothing. */
  readonly license: string | null;
  readonly terms: readonly string[];
}

/** Builds in its own temporary library. */
export interface EntryBuilder {
  /** Rejects if the run does not complete. */
  build(
    source: Pick<CatalogEntry, 'name' | 'version' | 'startUrl'> & Pick<EntryDefinition, 'settings'>,
  ): Promise<BuiltBundle>;
  close(): Promise<void>;
}

export interface BuildDeps extends PublishDeps {
  readonly builder: EntryBuilder;
  readonly program: string;
  readonly onEntry: (entry: string, state: string, done: number, total: number) => void;
  readonly signal: AbortSignal;
}

export interface BuiltEntries {
  readonly entries: readonly CatalogEntry[];
  readonly built: number;
  /** Entries that could not be built, with the reason. */
  readonly failed: readonly string[];
}

/** Archives that are fetched and read at a time. */
const CONCURRENCY = 4;

export async function buildEntries(
  definitions: readonly EntryDefinition[],
  published: readonly CatalogEntry[],
  deps: BuildDeps,
): Promise<BuiltEntries> {
  const total = definitions.reduce((sum, { versions }) => sum + versions.length, 0);
  const entries: CatalogEntry[] = [];
  const failed: string[] = [];
  let built = 0;
  let done = 0;
  const buildOne = async (definition: EntryDefinition, version: string): Promise<void> => {
    const name = `${definition.name}@${version}`;
    const result = await buildEntry(definition, version, published, deps);
    done += 1;
    if ('reason' in result) failed.push(`${name}: ${result.reason}`);
    else entries.push(result.entry);
    if ('entry' in result && result.isNew) built += 1;
    deps.onEntry(name, 'reason' in result ? result.reason : stateOf(result), done, total);
  };
  await forEachConcurrent(definitions, { concurrency: CONCURRENCY, signal: deps.signal }, async (definition) => {
    // One by one: a source has one run at a time.
    for (const version of definition.versions) await buildOne(definition, version);
  });
  return { entries, built, failed };
}

type EntryResult = { readonly entry: CatalogEntry; readonly isNew: boolean } | { readonly reason: string };

function stateOf({ entry, isNew }: Extract<EntryResult, { entry: CatalogEntry }>): string {
  if (entry.bundle === null) return 'definition only';
  return isNew ? 'built' : 'current';
}

async function buildEntry(
  definition: EntryDefinition,
  version: string,
  published: readonly CatalogEntry[],
  deps: BuildDeps,
): Promise<EntryResult> {
  const { name, startUrl, license, isTested } = definition;
  // Headers are those of the publisher: they are for this build alone.
  const { headers: _headers, ignoreTerms: _ignoreTerms, ...settings } = definition.settings;
  const entry = { name, version, startUrl, settings, license, isTested, terms: [], bundle: null };
  if (!canBundle(definition)) return { entry, isNew: false };
  const before = published.find((one) => one.name === name && one.version === version);
  const current =
    before !== undefined && (await isCurrent(before, entry, deps)) ? before : await readUnpublished(entry, deps);
  if (current !== null) return { entry: { ...current, settings, isTested }, isNew: false };
  const built = await runBuild(definition, entry, deps);
  if ('entry' in built) await deps.write(recordFile(entry, deps), encode(built.entry));
  return built;
}

async function runBuild(definition: EntryDefinition, entry: CatalogEntry, deps: BuildDeps): Promise<EntryResult> {
  try {
    const {
      bytes,
      indexId,
      input,
      license: stated,
      terms,
    } = await deps.builder.build({ ...entry, settings: definition.settings });
    const described = { ...entry, license: entry.license ?? stated, terms: [...terms] };
    // What the definition claims and what the package states must both allow it.
    if (![described.license, stated ?? described.license].every(isRedistributable))
      return { entry: { ...described, license: stated }, isNew: true };
    const sha256 = sha256Hex(bytes);
    const bundle: CatalogBundle = {
      sha256,
      bytes: bytes.byteLength,
      indexId,
      input,
      program: deps.program,
      vectors: null,
    };
    await deps.write(bundleFile(sha256), bytes);
    return { entry: { ...described, bundle }, isNew: true };
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    return { reason: error.message };
  }
}

/** The record of an entry whose catalogue is not published yet. It is written after the bundle, and names all that the entry depends on. */
function recordFile({ name, version, startUrl, settings, license }: CatalogEntry, { program }: BuildDeps): string {
  const all = { name, version, startUrl, settings: SourceSettings.parse(settings), license, program };
  return unpublishedFile(sha256Hex(canonicalJson(all)));
}

const MAX_RECORD_BYTES = 1_048_576;

/** Null if it was not built by this program from this definition, or its files are gone. */
async function readUnpublished(entry: CatalogEntry, deps: BuildDeps): Promise<CatalogEntry | null> {
  const record = await deps.files.read(recordFile(entry, deps), MAX_RECORD_BYTES);
  if (record === null) return null;
  const { data } = CatalogEntry.safeParse(parseJson(new TextDecoder().decode(record)));
  if (data === undefined) return null;
  return data.bundle === null || (await hasBundle(data.bundle, deps)) ? data : null;
}

function encode(entry: CatalogEntry): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(entry)}\n`);
}

/** Whether the published entry has the same definition, and its bundle is there. */
async function isCurrent(
  { startUrl, settings, license, bundle }: CatalogEntry,
  wanted: CatalogEntry,
  deps: BuildDeps,
): Promise<boolean> {
  if (bundle === null || bundle.program !== deps.program || startUrl !== wanted.startUrl) return false;
  if (wanted.license !== null && wanted.license !== license) return false;
  if (settingsText(settings) !== settingsText(wanted.settings)) return false;
  return hasBundle(bundle, deps);
}

async function hasBundle({ sha256 }: CatalogBundle, { files }: BuildDeps): Promise<boolean> {
  const bytes = await files.read(bundleFile(sha256), MAX_BUNDLE_BYTES);
  return bytes !== null && sha256Hex(bytes) === sha256;
}

/** A setting that is absent has its default. */
function settingsText(settings: CatalogEntry['settings']): string {
  return canonicalJson(SourceSettings.parse(settings));
}
