// Exports a source as a bundle that is readable without this program and can be imported again, as clean pages for other programs, or as
// an agent skill: to the caller's disk on the command line, or as the response over HTTP.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import type { ExportDeps, ExportSummary } from '../library/export-source.ts';
import { createCheckpoint } from '../platform/checkpoint.ts';
import type { Source, Version } from '../store/port/sources.ts';
import { action, type ActionDeps, localAccessOf } from './action.ts';
import { resolveVersion } from './support/resolve.ts';

const MAX_SHOWN_SECRETS = 20;
const MAX_SHOWN_FILES = 20;

export const exportSource = action({
  name: 'export_source',
  summary: 'Export a source: as a bundle, as clean pages or lines of JSON, or as an agent skill',
  effect: 'read',
  input: z.strictObject({
    source: z.string().describe('The name of a source, or a folder, file or archive to add first'),
    out: z.string().min(1).describe('The file to write; for pages a folder, or a zip archive if it ends in .zip'),
    format: z
      .enum(['bundle', 'pages', 'jsonl', 'llms-full', 'skill'])
      .default('bundle')
      .describe(
        'bundle: everything, to be imported again; pages: a Markdown file for each page, laid out like the site; jsonl: pages or chunks, one object a line; llms-full: all pages in one text; skill: SKILL.md and the most linked pages, for an agent',
      ),
    records: z.enum(['pages', 'chunks']).optional().describe('Content of each line of jsonl; pages by default'),
    reproducible: z
      .boolean()
      .default(false)
      .describe('Leave times out of pages and jsonl, so that the same texts give the same bytes in every library'),
    compact: z.boolean().default(false).describe('Bundle only what a token-limited reader needs'),
    vectors: z.boolean().default(false).describe('Include vectors in a bundle, for a library with the same model'),
    version: z.string().optional().describe('The version to export; the newest by default'),
    force: z.boolean().default(false).describe('Replace the file, or the folder of an earlier export, if it exists'),
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
    archive: z
      .object({ reference: z.string(), hash: z.string(), license: z.string().nullable() })
      .nullable()
      .describe('The repository or package that its pages were read from, with its commit or hash; null for others'),
    leftOut: z
      .object({ found: z.int(), files: z.array(z.object({ path: z.string(), message: z.string() })) })
      .describe('Files of the folder that a bundle does not have, such as those above the size limit'),
  }),
  bindings: {
    cli: {
      command: 'export',
      group: 'search',
      positional: ['source'],
      example: 'pinakes export docs.example.dev --out docs.zip',
      paths: ['out'],
    },
    http: {
      method: 'GET',
      path: '/sources/{source}/export',
      fixedInput: { out: 'bundle.zip' },
      file: {
        mediaType: 'application/zip',
        extension: 'zip',
        formats: {
          jsonl: { mediaType: 'application/x-ndjson', extension: 'jsonl' },
          'llms-full': { mediaType: 'text/plain; charset=utf-8', extension: 'llms-full.txt' },
        },
      },
    },
  },

  async check(input) {
    checkOptions(input);
  },

  async run(input, deps) {
    checkOptions(input);
    const selected = await resolveVersion(deps.store, input.source, input.version);
    const isFolder = input.format === 'pages' && deps.writer === null && !/\.zip$/i.test(input.out);
    const {
      secrets,
      leftOut = [],
      ...summary
    } = await (isFolder ? writeFolder : writeFile)({ ...input, ...selected }, deps);
    const locations = secrets.slice(0, MAX_SHOWN_SECRETS).map(({ rule, path, line }) => ({ rule, path, line }));
    const files = leftOut.slice(0, MAX_SHOWN_FILES).map(({ path, message }) => ({ path, message }));
    return {
      ...summary,
      source: input.source,
      archive: await archiveOf(deps.store, selected.version),
      secrets: { found: secrets.length, locations },
      leftOut: { found: leftOut.length, files },
    };
  },
});

async function archiveOf(
  store: ActionDeps['store'],
  { id }: Version,
): Promise<{ reference: string; hash: string; license: string | null } | null> {
  const { storedArchive } = await import('../crawl/archives/stored-archive.ts');
  const stored = await storedArchive(store, id);
  return stored === null ? null : { reference: stored.reference, hash: stored.id, license: stored.license };
}

/** An export with its source resolved. */
interface Export {
  readonly source: Source;
  readonly version: Version;
  readonly out: string;
  readonly format: 'bundle' | 'pages' | 'jsonl' | 'llms-full' | 'skill';
  readonly records?: 'pages' | 'chunks' | undefined;
  readonly reproducible: boolean;
  readonly compact: boolean;
  readonly vectors: boolean;
  readonly force: boolean;
}

interface Written extends ExportSummary {
  readonly out: string;
  readonly bytes: number;
}

/** Raises `input.invalid`. */
function checkOptions({
  format,
  compact,
  vectors,
  records,
}: Pick<Export, 'format' | 'compact' | 'vectors' | 'records'>): void {
  const refuse = (what: string): Error =>
    pinakesError('input.invalid', { reason: `${what}, and not for the format ${format}` });
  if (format !== 'bundle' && (compact || vectors)) throw refuse('compact and vectors are for bundles');
  if (format !== 'jsonl' && records !== undefined) throw refuse('records is for jsonl');
}

/** An export ends when its caller disconnects, and lets other requests through in the meantime. */
function exportDeps({ store, signal, onProgress }: Pick<ActionDeps, 'store' | 'signal' | 'onProgress'>) {
  return { store, onProgress, checkpoint: createCheckpoint(signal) };
}

async function writeFile(exported: Export, deps: ActionDeps): Promise<Written> {
  const { out, force } = exported;
  const writer = deps.writer ?? (await localAccessOf(deps).openWriter(out, force ? 'replace' : 'create'));
  let bytes = 0;
  try {
    const write = async (data: Uint8Array): Promise<void> => {
      bytes += data.byteLength;
      await writer.write(data);
    };
    const summary = await writeFormat(exported, { ...exportDeps(deps), write });
    await writer.commit();
    return { ...summary, out: writer.path, bytes };
  } finally {
    await writer.discard();
  }
}

async function writeFolder(exported: Export, deps: ActionDeps): Promise<Written> {
  const folder = await localAccessOf(deps).openFolder(exported.out, exported.force ? 'replace' : 'create');
  let bytes = 0;
  try {
    const { exportPages } = await loadPages();
    const write = async (path: string, text: string): Promise<void> => {
      bytes += Buffer.byteLength(text);
      await folder.write(path, text);
    };
    const summary = await exportPages(pagesRequest(exported), { ...exportDeps(deps), write });
    await folder.commit();
    return { ...summary, out: folder.path, bytes };
  } finally {
    await folder.discard();
  }
}

/** Imported lazily: most commands export nothing. */
const loadPages = () => import('../library/export-pages.ts');

async function writeFormat(exported: Export, deps: ExportDeps): Promise<ExportSummary> {
  const { source, version, format, compact, vectors } = exported;
  switch (format) {
    case 'bundle': {
      const { exportSource: exportBundle } = await import('../library/export-source.ts');
      const request = { source, version, format: compact ? 'compact' : 'full', vectors } as const;
      const { pages, ...bundle } = await exportBundle(request, deps);
      return { ...bundle, files: pages.size };
    }
    case 'skill': {
      const { exportSkill } = await import('../library/export-skill.ts');
      return exportSkill({ source, version }, deps);
    }
    case 'pages':
      return writeArchive(exported, deps);
    case 'jsonl': {
      const request = { ...pagesRequest(exported), records: exported.records ?? 'pages' } as const;
      return (await loadPages()).exportJsonl(request, deps);
    }
    case 'llms-full':
      return (await loadPages()).exportFullText(pagesRequest(exported), deps);
  }
}

async function writeArchive(exported: Export, { write, ...deps }: ExportDeps): Promise<ExportSummary> {
  const { createZipWriter } = await import('../core/export/zip/zip-writer.ts');
  const zip = createZipWriter();
  const summary = await (
    await loadPages()
  ).exportPages(pagesRequest(exported), {
    ...deps,
    async write(path, text) {
      for (const bytes of zip.entry(path, [text])) await write(bytes);
    },
  });
  await write(zip.end());
  return summary;
}

function pagesRequest({ source, version, reproducible }: Export) {
  return { source, version, isReproducible: reproducible };
}
