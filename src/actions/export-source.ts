// Writes a source as a bundle that can be carried away, read without this program, and imported again: to the disk of
// whoever asks on the command line, or as the answer over HTTP.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { action } from './action.ts';
import { oneVersion } from './one-version.ts';

const SHOWN_SECRETS = 20;

export const exportSource = action({
  name: 'export_source',
  summary: 'Write a source as a zip archive that people, agents and other libraries can read',
  effect: 'read',
  input: z.strictObject({
    source: z.string().describe('The name of a source, or a folder, file or archive that is added first'),
    out: z.string().min(1).describe('The zip archive to write'),
    compact: z.boolean().default(false).describe('Only what a reader with a token budget needs'),
    vectors: z.boolean().default(false).describe('Vectors of the texts too, for a library with the same model'),
    version: z.string().optional().describe('The version to export; the newest unless given'),
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
        places: z.array(z.object({ rule: z.string(), path: z.string(), line: z.int() })),
      })
      .describe('What looks like a key or a password in the exported texts'),
  }),
  doors: {
    cli: {
      command: 'export',
      positional: ['source'],
      example: 'pinakes export docs.example.dev --out docs.zip',
      paths: ['out'],
    },
    http: {
      method: 'GET',
      path: '/sources/{source}/bundle',
      says: { out: 'bundle.zip' },
      file: { mediaType: 'application/zip', extension: 'zip' },
    },
  },

  async run({ source: name, out, compact, vectors, version: label }, { store, local, sink: given, tell }) {
    const { source, version } = await oneVersion(store, name, label);
    const sink = given ?? (await local?.openSink(out));
    if (sink === undefined) throw pinakesError('local.forbidden', {});
    let bytes = 0;
    try {
      const write = async (piece: Uint8Array): Promise<void> => {
        bytes += piece.byteLength;
        await sink.write(piece);
      };
      const form = compact ? 'compact' : 'full';
      const { exportSource: writeSource } = await import('../library/export-source.ts');
      const bundle = await writeSource({ source, version, form, vectors }, { store, write, tell });
      await sink.commit();
      const { indexId, pages, chunks, tokens, secrets } = bundle;
      const places = secrets.slice(0, SHOWN_SECRETS).map(({ rule, path, line }) => ({ rule, path, line }));
      const counts = { files: pages.size, chunks, tokens, bytes };
      return { out: sink.path, source: name, indexId, ...counts, secrets: { found: secrets.length, places } };
    } finally {
      await sink.discard();
    }
  },
});
