// Exports and imports source definitions: start, versions and crawl settings, without pages. The file can be kept in git.

import { z } from 'zod';
import { DefinedSource } from '../core/model/source-definition.ts';
import { isFilePath } from '../core/model/source-name.ts';
import { pinakesError } from '../core/model/errors.ts';
import { parseJson } from '../core/text/parse-json.ts';
import { SourceSettings } from '../core/model/source-settings.ts';
import type { Source } from '../store/port/sources.ts';
import { action, type ActionDeps, localAccessOf } from './action.ts';
import { addSource } from './add-source.ts';

/** As other programs write it. */
const STDOUT = '-';

export const Definitions = z.array(DefinedSource).max(10_000);

export const exportDefinitions = action({
  name: 'export_definitions',
  summary: 'Export the definitions of all sources, as a file to keep in git',
  effect: 'read',
  input: z.strictObject({
    out: z.string().min(1).optional().describe('The file to write; standard output by default, or for -'),
  }),
  output: z.object({ sources: Definitions, out: z.string().nullable() }),
  bindings: {
    cli: {
      command: 'sources export',
      group: 'index',
      positional: ['out'],
      example: 'pinakes sources export sources.json',
      paths: ['out'],
    },
    http: { method: 'GET', path: '/definitions' },
  },

  async run({ out }, deps) {
    const sources = (await deps.store.sources.list()).map(definitionOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    if (out === undefined || out === STDOUT) return { sources, out: null };
    const writer = await localAccessOf(deps).openWriter(out, 'replace');
    await writer.write(new TextEncoder().encode(`${JSON.stringify({ sources }, null, 2)}\n`));
    await writer.commit();
    return { sources, out };
  },
});

function definitionOf({ name, startUrl, versions, settings }: Source) {
  const defaults = SourceSettings.parse({});
  const changed = Object.entries(settings).filter(
    ([key, value]) =>
      key in defaults && JSON.stringify(value) !== JSON.stringify(defaults[key as keyof SourceSettings]),
  );
  return { name, startUrl, versions: versions.map(({ label }) => label), settings: Object.fromEntries(changed) };
}

export const importDefinitions = action({
  name: 'import_definitions',
  summary: 'Add the sources of a definitions file; existing sources are left unchanged',
  effect: 'write',
  input: z.strictObject({
    file: z.string().min(1).optional().describe('A file written by pinakes sources export'),
    sources: Definitions.optional().describe('The definitions themselves, instead of a file'),
  }),
  output: z.object({ added: z.array(z.object({ source: z.string(), run: z.int() })), existing: z.array(z.string()) }),
  bindings: {
    cli: {
      command: 'sources import',
      group: 'index',
      positional: ['file'],
      example: 'pinakes sources import sources.json',
      paths: ['file'],
    },
    http: { method: 'POST', path: '/definitions', status: 201 },
  },

  async run({ file, sources }, deps) {
    if (file === undefined && sources === undefined)
      throw pinakesError('input.invalid', { reason: 'Name the file that pinakes sources export wrote' });
    const definitions = file === undefined ? (sources ?? []) : await readDefinitions(file, deps);
    const added: { source: string; run: number }[] = [];
    const existing: string[] = [];
    for (const { name, startUrl, versions, settings } of definitions) {
      if (isFilePath(startUrl)) localAccessOf(deps);
      if ((await deps.store.sources.byName(name)) !== null) existing.push(name);
      else {
        const input = addSource.input.parse({ url: startUrl, name, version: versions[0] ?? '', ...settings });
        const { source, run } = await addSource.run(input, deps);
        added.push({ source, run });
      }
    }
    return { added, existing };
  },
});

/** JSON or, by the name of the file, YAML. Raises `input.invalid`. */
export async function readDefinitions(file: string, deps: ActionDeps): Promise<readonly DefinedSource[]> {
  const text = await localAccessOf(deps).readText(file);
  const isYaml = /\.ya?ml$/i.test(file);
  const value = isYaml ? await parseYamlFile(text) : parseJson(text);
  if (value === undefined)
    throw pinakesError('input.invalid', { reason: `${file} is not ${isYaml ? 'YAML' : 'JSON'}` });
  const parsed = z.object({ sources: Definitions }).safeParse(value);
  if (parsed.success) return parsed.data.sources;
  const why = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`);
  throw pinakesError('input.invalid', {
    reason: `${file} does not contain source definitions: ${why.slice(0, 3).join('; ')}`,
  });
}

/** Imported when needed: most files are JSON. */
async function parseYamlFile(text: string): Promise<unknown> {
  const { parseYaml } = await import('../core/extract/data/parse-yaml.ts');
  return parseYaml(text, 'typed');
}
