// Sources as definitions: what they are and how they are crawled, without their pages. A file of them can be kept in git.

import { z } from 'zod';
import { isLocalStart } from '../core/local/local-source-name.ts';
import { pinakesError } from '../core/model/errors.ts';
import { SourceSettings } from '../core/model/source-settings.ts';
import type { Source } from '../store/port.ts';
import { action } from './action.ts';
import { addSource } from './add-source.ts';

const Definition = z.strictObject({
  name: z.string().min(1).max(100),
  start: z.string().min(1),
  versions: z.array(z.string().max(100)).default(['']),
  settings: SourceSettings.partial().default({}),
});

const Definitions = z.array(Definition).max(10_000);

export const exportSources = action({
  name: 'export_sources',
  summary: 'Write the definitions of all sources, for a file that is kept in git',
  effect: 'read',
  input: z.strictObject({
    out: z.string().min(1).optional().describe('The file to write; standard output unless given'),
  }),
  output: z.object({ sources: Definitions, out: z.string().nullable() }),
  doors: {
    cli: {
      command: 'sources export',
      positional: ['out'],
      example: 'pinakes sources export sources.json',
      paths: ['out'],
    },
    http: { method: 'GET', path: '/definitions' },
  },

  async run({ out }, { store, local }) {
    const sources = (await store.sources.list()).map(definitionOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    if (out === undefined) return { sources, out: null };
    if (local === null) throw pinakesError('local.forbidden', {});
    const sink = await local.openSink(out);
    await sink.write(new TextEncoder().encode(`${JSON.stringify({ sources }, null, 2)}\n`));
    await sink.commit();
    return { sources, out };
  },
});

function definitionOf({ name, start, versions, settings }: Source) {
  const usual = SourceSettings.parse({});
  const said = Object.entries(settings).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(usual[key as keyof SourceSettings]),
  );
  return { name, start, versions: versions.map(({ label }) => label), settings: Object.fromEntries(said) };
}

export const importSources = action({
  name: 'import_sources',
  summary: 'Add the sources of a file of definitions; those that are there already stay as they are',
  effect: 'write',
  input: z.strictObject({
    file: z.string().min(1).optional().describe('A file that pinakes sources export wrote'),
    sources: Definitions.optional().describe('The definitions themselves, instead of a file'),
  }),
  output: z.object({ added: z.array(z.object({ source: z.string(), run: z.int() })), kept: z.array(z.string()) }),
  doors: {
    cli: {
      command: 'sources import',
      positional: ['file'],
      example: 'pinakes sources import sources.json',
      paths: ['file'],
    },
    http: { method: 'POST', path: '/definitions' },
  },

  async run({ file, sources = [] }, deps) {
    const wanted = file === undefined ? sources : await definitionsIn(file, deps.local);
    const added: { source: string; run: number }[] = [];
    const kept: string[] = [];
    for (const { name, start, versions, settings } of wanted) {
      if (isLocalStart(start) && deps.local === null) throw pinakesError('local.forbidden', {});
      if ((await deps.store.sources.byName(name)) !== null) kept.push(name);
      else {
        const input = addSource.input.parse({ url: start, name, version: versions[0] ?? '', ...settings });
        const { source, run } = await addSource.run(input, deps);
        added.push({ source, run });
      }
    }
    return { added, kept };
  },
});

async function definitionsIn(file: string, local: { readText(path: string): Promise<string> } | null) {
  if (local === null) throw pinakesError('local.forbidden', {});
  const text = await local.readText(file);
  const parsed = z.object({ sources: Definitions }).safeParse(jsonOf(text));
  if (parsed.success) return parsed.data.sources;
  const why = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
  throw pinakesError('input.invalid', {
    why: `${file} holds no definitions of sources: ${why.slice(0, 3).join('; ')}`,
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
