// Exports a source as a bundle that is readable without this program and can be imported again: to the caller's disk on the
// command line, or as the response over HTTP.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
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
    compact: z.boolean().default(false).describe('Only the files needed within a token budget'),
    vectors: z.boolean().default(false).describe('Include vectors, for a library with the same model'),
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

  async run(
    { source: name, out, compact, vectors, version: label, force },
    { store, localAccess, sink: responseSink, onProgress },
  ) {
    const { source, version } = await resolveVersion(store, name, label);
    const sink = responseSink ?? (await localAccess?.openSink(out, force ? 'replace' : 'create'));
    if (sink === undefined) throw pinakesError('files.forbidden', {});
    let bytes = 0;
    try {
      const write = async (data: Uint8Array): Promise<void> => {
        bytes += data.byteLength;
        await sink.write(data);
      };
      const format = compact ? 'compact' : 'full';
      const { exportSource: writeSource } = await import('../library/export-source.ts');
      const bundle = await writeSource({ source, version, format, vectors }, { store, write, onProgress });
      await sink.commit();
      const { indexId, pages, chunks, tokens, secrets } = bundle;
      const locations = secrets.slice(0, MAX_SHOWN_SECRETS).map(({ rule, path, line }) => ({ rule, path, line }));
      const counts = { files: pages.size, chunks, tokens, bytes };
      return { out: sink.path, source: name, indexId, ...counts, secrets: { found: secrets.length, locations } };
    } finally {
      await sink.discard();
    }
  },
});
