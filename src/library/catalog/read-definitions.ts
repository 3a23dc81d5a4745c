// The definitions of a catalogue: a folder with one YAML file for each entry, in the form of `sources export` with its license.

import { z } from 'zod';
import { isRedistributable } from '../../core/catalog/redistributable.ts';
import { parseArchiveReference } from '../../core/archives/archive-reference.ts';
import { compareText } from '../../core/text/compare-text.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import { parseYaml } from '../../core/extract/data/parse-yaml.ts';
import { pathOfFileUrl } from '../../core/files/file-url.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { DefinedSource } from '../../core/model/source-definition.ts';
import type { LocalFiles } from '../../fetch/port.ts';

const EntryFile = z.strictObject({
  sources: z.tuple([DefinedSource]),
  /** An expression of SPDX; null or absent: what the package itself states. */
  license: z.string().max(200).nullable().default(null),
  /** Whether a crawl or a build by this definition was checked. */
  isTested: z.boolean().default(false),
});

export interface EntryDefinition extends DefinedSource {
  readonly license: string | null;
  readonly isTested: boolean;
}

/** Sorted by name. Raises `input.invalid` for a file that is not a definition, or for a name that is declared twice. */
export async function readEntryDefinitions(
  folder: string,
  files: Pick<LocalFiles, 'open'>,
  signal: AbortSignal,
): Promise<readonly EntryDefinition[]> {
  const source = await files.open(folder);
  const definitions = new Map<string, EntryDefinition>();
  for await (const listed of source.list(signal)) {
    const path = listed.kind === 'file' ? pathOfFileUrl(listed.url) : null;
    if (listed.kind !== 'file' || path === null || !/\.ya?ml$/i.test(path)) continue;
    const found = await source.read(listed.url);
    if (found.kind !== 'read') throw pinakesError('input.invalid', { reason: `${path} cannot be read` });
    const definition = parseDefinition(path, decodeUtf8(found.body));
    if (definitions.has(definition.name))
      throw pinakesError('input.invalid', {
        reason: `${definition.name} is declared twice, the second time in ${path}`,
      });
    definitions.set(definition.name, definition);
  }
  return [...definitions.values()].toSorted((a, b) => compareText(a.name, b.name));
}

function parseDefinition(path: string, text: string): EntryDefinition {
  const parsed = EntryFile.safeParse(parseYaml(text, 'typed'));
  if (parsed.success) {
    const { sources, license, isTested } = parsed.data;
    return { ...sources[0], license, isTested };
  }
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'file';
  throw pinakesError('input.invalid', { reason: `${path} is not a definition: ${where}: ${issue?.message ?? ''}` });
}

/** Only what never changes is bundled: a site that is crawled next month has other pages. */
export function canBundle({ startUrl, license }: Pick<EntryDefinition, 'startUrl' | 'license'>): boolean {
  return parseArchiveReference(startUrl) !== null && (license === null || isRedistributable(license));
}
