// Exports a source as a bundle that is readable without this program and can be imported again, or as an agent skill: to the
// caller's disk on the command line, or as the response over HTTP.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import type { ExportDeps, ExportRequest, ExportSummary } from '../library/export-source.ts';
import { action } from './action.ts';
import { resolveVersion } from './support/resolve.ts';

const MAX_SHOWN_SECRETS = 20;

export const exportSource = action({
  name: 'export_source',
  summary: 'Export a source as a zip archive that people, agents and other libraries can read',
  effect: 'read',
  input: z.strictObject({
    source: z.string().describe('The name of a source, or a folder, file or archive to add first'),
    out: z.string().min(1).describe('The zip archive to write'),
    format: z
      .enum(['bundle', 'skill'])
      .default('bundle')
      .describe('bundle: everything, to be imported again; skill: SKILL.md and the most linked pages, for an agent'),
    compact: z.boolean().default(false).describe('Of a bundle only the files needed within a token budget'),
    vectors: z.boolean().default(false).describe('Include vectors in a bundle, for a library with the same model'),
    version: z.string().optional().describe('The version to export; the newest by default'),
    force: z.boolean().default(false).describe('Replace the archive if it exists'),
  }),
  output: z.object({
    out: z.string(),
    source: z.string(),
    indexId: z.string(),
    files: z.int(),
    chunks: z.int(),
    tokens: z.int(),
    bytes: z.int(),
    secrets: z
      .object({
        found: z.int(),
        locations: z.array(z.object({ rule: z.string(), path: z.string(), line: z.int() })),
      })
      .describe('Possible keys and passwords in the exported texts'),
  }),
  bindings: {
    cli: {
      command: 'export',
      positional: ['source'],
      example: 'pinakes export docs.example.dev --out docs.zip',
      paths: ['out'],
    },
    http: {
      method: 'GET',
      path: '/sources/{source}/bundle',
      fixedInput: { out: 'bundle.zip' },
      file: { mediaType: 'application/zip', extension: 'zip' },
    },
  },

  async check(input) {
    requireBundle(input);
  },

  async run(input, { store, localAccess, sink: responseSink, onProgress }) {
    requireBundle(input);
    const { source: name, out, format, compact, vectors, version: label, force } = input;
    const selected = await resolveVersion(store, name, label);
    const sink = responseSink ?? (await localAccess?.openSink(out, force ? 'replace' : 'create'));
    if (sink === undefined) throw pinakesError('files.forbidden', {});
    let bytes = 0;
    try {
      const write = async (data: Uint8Array): Promise<void> => {
        bytes += data.byteLength;
        await sink.write(data);
      };
      const request = { ...selected, format: compact ? 'compact' : 'full', vectors } as const;
      const writeFiles = format === 'skill' ? writeSkill : writeBundle;
      const { indexId, files, chunks, tokens, secrets } = await writeFiles(request, { store, write, onProgress });
      await sink.commit();
      const locations = secrets.slice(0, MAX_SHOWN_SECRETS).map(({ rule, path, line }) => ({ rule, path, line }));
      const counts = { files, chunks, tokens, bytes };
      return { out: sink.path, source: name, indexId, ...counts, secrets: { found: secrets.length, locations } };
    } finally {
      await sink.discard();
    }
  },
});

/** Raises `input.invalid`. */
function requireBundle({ format, compact, vectors }: { format: string; compact: boolean; vectors: boolean }): void {
  if (format !== 'bundle' && (compact || vectors))
    throw pinakesError('input.invalid', {
      why: `compact and vectors are for bundles, and not for the format ${format}`,
    });
}

/** Imported lazily: most commands export nothing. */
async function writeBundle(request: ExportRequest, deps: ExportDeps): Promise<ExportSummary> {
  const { exportSource: exportBundle } = await import('../library/export-source.ts');
  const { pages, ...bundle } = await exportBundle(request, deps);
  return { ...bundle, files: pages.size };
}

async function writeSkill(request: ExportRequest, deps: ExportDeps): Promise<ExportSummary> {
  const { exportSkill } = await import('../library/export-skill.ts');
  return exportSkill(request, deps);
}
