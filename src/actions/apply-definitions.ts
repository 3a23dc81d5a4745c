// Makes the sources of the library those of a file: adds what is missing, changes settings that differ, and removes the rest on request.
// Everything is checked before anything is changed, and applying the same file again changes nothing.

import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { formatArchiveReference, parseArchiveReference } from '../core/archives/archive-reference.ts';
import { pinakesError } from '../core/model/errors.ts';
import { pageUrl } from '../core/model/page-url.ts';
import type { DefinedSource } from '../core/model/source-definition.ts';
import { isFilePath } from '../core/model/source-name.ts';
import { ARCHIVE_SETTINGS, SourceSettings } from '../core/model/source-settings.ts';
import type { Source } from '../store/port/sources.ts';
import { action, type ActionDeps, localAccessOf } from './action.ts';
import { addSource } from './add-source.ts';
import { editSource } from './edit-source.ts';
import { removeSource } from './remove-source.ts';
import { Definitions, readDefinitions } from './source-definitions.ts';

const Applied = z.object({
  isDryRun: z.boolean(),
  added: z.array(z.object({ source: z.string(), startUrl: z.string(), run: z.int().nullable() })),
  changed: z.array(z.object({ source: z.string(), settings: z.array(z.string()).describe('Settings that differ') })),
  replaced: z
    .array(z.object({ source: z.string(), startUrl: z.string(), run: z.int().nullable() }))
    .describe('Removed and added again, because they have another start'),
  removed: z.array(z.string()),
  unchanged: z.array(z.string()),
  undeclared: z.array(z.string()).describe('Sources that the file does not have, and that are kept without --prune'),
});

export type AppliedSources = z.output<typeof Applied>;

export const applyDefinitions = action({
  name: 'apply_definitions',
  summary: "Sync the library's sources with a definitions file",
  effect: 'write',
  input: z.strictObject({
    file: z.string().min(1).optional().describe('A JSON or YAML file in the form that pinakes sources export writes'),
    sources: Definitions.optional().describe('The definitions themselves, instead of a file'),
    prune: z.boolean().default(false).describe('Remove sources that are not in the file, with their pages'),
    dryRun: z.boolean().default(false).describe('Only show what would be done'),
  }),
  output: Applied,
  bindings: {
    cli: {
      command: 'sources apply',
      group: 'index',
      positional: ['file'],
      example: 'pinakes sources apply sources.yaml --prune --dry-run',
      paths: ['file'],
    },
    http: { method: 'POST', path: '/definitions/apply' },
  },

  async run({ file, sources, prune, dryRun }, deps) {
    if (file === undefined && sources === undefined)
      throw pinakesError('input.invalid', { reason: 'Name a file with source definitions' });
    const provided = file === undefined ? (sources ?? []) : await readDefinitions(file, deps);
    const definitions = provided.map((one) => withStart(one, file ?? null, deps));
    const plan = planChanges(definitions, await deps.store.sources.list());
    checkPlan(plan, prune);
    const shown = showPlan(plan, prune);
    return dryRun ? { ...shown, isDryRun: true } : { ...(await applyPlan(plan, shown, deps)), isDryRun: false };
  },
});

/** The start as it is stored. A path in a file is relative to that file. */
function withStart(definition: DefinedSource, file: string | null, deps: ActionDeps): DefinedSource {
  const { startUrl } = definition;
  const reference = parseArchiveReference(startUrl);
  if (reference !== null) return { ...definition, startUrl: formatArchiveReference(reference) };
  if (!isFilePath(startUrl)) return { ...definition, startUrl: pageUrl(startUrl) };
  localAccessOf(deps);
  return { ...definition, startUrl: resolve(file === null ? '.' : dirname(file), startUrl) };
}

interface Plan {
  readonly missing: readonly DefinedSource[];
  readonly different: ReadonlyArray<{ readonly definition: DefinedSource; readonly settings: readonly string[] }>;
  /** The same name with another start: its pages are those of another site. */
  readonly moved: ReadonlyArray<{ readonly definition: DefinedSource; readonly source: Source }>;
  readonly same: readonly string[];
  readonly undeclared: readonly string[];
}

/** Raises `input.invalid` for a name that is declared twice. */
function planChanges(definitions: readonly DefinedSource[], sources: readonly Source[]): Plan {
  const byName = new Map(sources.map((source) => [source.name, source]));
  const declared = new Set<string>();
  const plan = { missing: [], different: [], moved: [], same: [] } as {
    -readonly [Key in Exclude<keyof Plan, 'undeclared'>]: Plan[Key][number][];
  };
  for (const definition of definitions) {
    const { name } = definition;
    if (declared.has(name)) throw pinakesError('input.invalid', { reason: `${name} is declared twice` });
    declared.add(name);
    const source = byName.get(name);
    const settings = source === undefined ? [] : differentSettings(definition, source);
    if (source === undefined) plan.missing.push(definition);
    else if (source.startUrl !== definition.startUrl) plan.moved.push({ definition, source });
    else if (settings.length > 0) plan.different.push({ definition, settings });
    else plan.same.push(name);
  }
  const undeclared = sources.map(({ name }) => name).filter((name) => !declared.has(name));
  return { ...plan, undeclared: undeclared.toSorted() };
}

function differentSettings({ settings }: DefinedSource, source: Source): string[] {
  if (source.kind === 'folder') return [];
  const wanted = SourceSettings.parse(settings);
  const present = SourceSettings.partial().strip().parse(source.settings);
  const names = source.kind === 'web' ? (Object.keys(wanted) as Array<keyof SourceSettings>) : ARCHIVE_SETTINGS;
  return names.filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(present[name]));
}

function checkPlan({ moved }: Plan, prune: boolean): void {
  const [first] = moved;
  if (prune || first === undefined) return;
  const { source, definition } = first;
  throw pinakesError('input.invalid', {
    reason: `${source.name} starts at ${source.startUrl}, and not at ${definition.startUrl}. Give it another name, or pass --prune to replace it with its pages`,
  });
}

type Shown = Omit<AppliedSources, 'isDryRun'>;

function showPlan({ missing, different, moved, same, undeclared }: Plan, prune: boolean): Shown {
  return {
    added: missing.map(({ name, startUrl }) => ({ source: name, startUrl, run: null })),
    changed: different.map(({ definition, settings }) => ({ source: definition.name, settings: [...settings] })),
    replaced: moved.map(({ definition }) => ({ source: definition.name, startUrl: definition.startUrl, run: null })),
    removed: prune ? [...undeclared] : [],
    unchanged: [...same],
    undeclared: prune ? [] : [...undeclared],
  };
}

/** A failure, such as a run that is in progress, leaves what was done; applying the file again does the rest. */
async function applyPlan({ missing, different, moved }: Plan, shown: Shown, deps: ActionDeps): Promise<Shown> {
  for (const source of shown.removed) await removeSource.run({ source }, deps);
  for (const { definition } of moved) await removeSource.run({ source: definition.name }, deps);
  for (const { definition } of different)
    await editSource.run({ source: definition.name, ...SourceSettings.parse(definition.settings) }, deps);
  const replaced: Shown['replaced'] = [];
  for (const { definition } of moved) replaced.push(await add(definition, deps));
  const added: Shown['added'] = [];
  for (const definition of missing) added.push(await add(definition, deps));
  return { ...shown, added, replaced };
}

async function add(
  { name, startUrl, versions, settings }: DefinedSource,
  deps: ActionDeps,
): Promise<Shown['added'][number]> {
  const input = addSource.input.parse({ url: startUrl, name, version: versions[0] ?? '', ...settings });
  const { source, run } = await addSource.run(input, deps);
  return { source, startUrl, run };
}
