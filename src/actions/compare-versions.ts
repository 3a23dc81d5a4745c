// Compares two versions of a source: breaking changes first, then what the release notes say.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import type { VersionDiff } from '../core/diff/version-diff.ts';
import { action } from './action.ts';
import { InjectionFlags, injectionFlagsOf } from './support/injection-flags.ts';
import { resolveVersion } from './support/resolve.ts';

const location = { path: z.string(), anchor: z.string().nullable() };

const Counts = z.object({
  removed: z.int(),
  renamed: z.int(),
  signatures: z.int(),
  requirements: z.int(),
  defaults: z.int(),
  deprecated: z.int(),
  sections: z.int(),
  notes: z.int(),
  uses: z.int(),
});

export const compareSourceVersions = action({
  name: 'compare_versions',
  summary: 'Show what changed between two versions of a source',
  effect: 'read',
  readsWholeLibrary: true,
  input: z.strictObject({
    source: z.string().min(1).max(400).describe('The name of a source'),
    before: z.string().min(1).max(100).describe('The version to upgrade from'),
    after: z.string().min(1).max(100).describe('The version to upgrade to'),
    usedIn: z
      .string()
      .min(1)
      .max(4000)
      .optional()
      .describe('A folder with TypeScript or JavaScript: find the lines that use what changed'),
    budget: z.int().min(100).max(1_000_000).default(2000).describe('Maximum tokens of the result'),
  }),
  output: z.object({
    source: z.string(),
    before: z.string(),
    after: z.string(),
    counts: Counts.describe('Number of changes, shown or not'),
    isTruncated: z.boolean().describe('There are more changes than the budget has room for'),
    isPartial: z.boolean().describe('A version has more pages than are compared'),
    uses: z
      .array(
        z.object({
          file: z.string(),
          line: z.int(),
          symbol: z.string(),
          reason: z.enum(['removed', 'changed']).describe('changed: a call that no signature allows any more'),
        }),
      )
      .describe('With `usedIn`: the lines that the upgrade breaks'),
    removed: z
      .array(z.object({ ...location, symbol: z.string(), module: z.string().nullable(), signature: z.string() }))
      .describe('Symbols, members and modules; `module` is where it was imported from'),
    renamed: z
      .array(z.object({ ...location, symbol: z.string(), to: z.string() }))
      .describe('Symbols with the same text under another name, or in another module'),
    signatures: z.array(z.object({ ...location, symbol: z.string(), before: z.string(), after: z.string() })),
    requirements: z
      .array(z.object({ ...location, name: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
      .describe('What the package needs: Node.js, peer dependencies, a module system'),
    defaults: z.array(z.object({ ...location, name: z.string(), before: z.string(), after: z.string() })),
    deprecated: z.array(z.object({ ...location, symbol: z.string(), text: z.string() })).describe('Deprecated since'),
    sections: z
      .array(z.object({ ...location, heading: z.string(), to: z.string().nullable() }))
      .describe('Removed sections, with the heading that has their text now'),
    notes: z
      .array(z.object({ ...location, heading: z.string(), text: z.string() }))
      .describe('Sections of changelogs and migration guides about the versions in between'),
    injectionFlags: InjectionFlags,
  }),
  bindings: {
    cli: {
      command: 'diff',
      group: 'inspect',
      positional: ['source', 'before', 'after'],
      example: 'pinakes diff npm:zod 3.25.76 4.6.7 --used-in .',
      paths: ['usedIn'],
    },
    http: { method: 'GET', path: '/sources/{source}/diff' },
    mcp: {
      title: 'Compare two versions',
      description:
        'Show what an upgrade of a source breaks: symbols removed or renamed, changed signatures and defaults, new deprecations, and the notes of its changelog. Call it before changing code for a newer version.',
      tools: 'opt-in',
      fixedInput: { usedIn: undefined },
    },
  },

  async run({ source: name, before, after, usedIn, budget }, { store, localAccess, signal }) {
    if (usedIn !== undefined && localAccess === null) throw pinakesError('files.forbidden', {});
    const old = await resolveVersion(store, name, before);
    const current = await resolveVersion(store, old.source.name, after);
    if (old.version.id === current.version.id)
      throw pinakesError('input.invalid', {
        reason: `${before} and ${after} are the same version of ${old.source.name}`,
      });
    const { compareVersions, loadVersions } = await import('../library/compare-versions.ts');
    const { fitDiff } = await import('../core/diff/fit-diff.ts');
    const versions = await loadVersions(store, old.version, current.version, signal);
    const diff = compareVersions(versions);
    const uses = usedIn === undefined ? [] : await usesIn(usedIn, old.source.name);
    const { diff: shown, isTruncated } = fitDiff({ ...diff, uses }, budget);
    return {
      source: old.source.name,
      before: old.version.label,
      after: current.version.label,
      counts: { ...countsOf(diff), uses: uses.length },
      isTruncated,
      isPartial: versions.isPartial,
      uses: [...shown.uses],
      removed: [...shown.removed],
      renamed: [...shown.renamed],
      signatures: [...shown.signatures],
      requirements: [...shown.requirements],
      defaults: [...shown.defaults],
      deprecated: [...shown.deprecated],
      sections: [...shown.sections],
      notes: [...shown.notes],
      ...injectionFlagsOf([JSON.stringify(shown), ...shown.notes.map(({ text }) => text)].join('\n')),
    };

    async function usesIn(folder: string, source: string) {
      if (localAccess === null) return [];
      const { findUses } = await import('../library/find-uses.ts');
      const project = await localAccess.files.openProject(folder);
      const packageName = source.replace(/^npm:/, '');
      return findUses({ project, packageName, versions }, { grammars: await localAccess.grammars(), signal });
    }
  },
});

function countsOf(diff: VersionDiff): Omit<z.output<typeof Counts>, 'uses'> {
  return {
    removed: diff.removed.length,
    renamed: diff.renamed.length,
    signatures: diff.signatures.length,
    requirements: diff.requirements.length,
    defaults: diff.defaults.length,
    deprecated: diff.deprecated.length,
    sections: diff.sections.length,
    notes: diff.notes.length,
  };
}
