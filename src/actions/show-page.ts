// Shows one page in full: its document, its chunks with their ids, its links, and how it was found.

import { z } from 'zod';
import { readLinePairs } from '../core/chunk/source-lines.ts';
import { pageLinks } from '../core/discover/markdown/page-links.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { Store } from '../store/port.ts';
import type { JsonObject } from '../store/port/json.ts';
import type { StoredChunk, StoredDocument } from '../store/port/pages.ts';
import type { SourceKind } from '../core/model/provenance.ts';
import type { Version } from '../store/port/sources.ts';
import { action } from './action.ts';
import { PageView, pageView } from './list-pages.ts';
import { PAGE_REFERENCE, resolvePage } from './support/resolve.ts';
import { FOUND_BY } from './support/run-urls.ts';

const MAX_ALIASES = 100;

export const ChunkView = z.object({
  id: z.string(),
  passageKind: z.string(),
  headings: z.array(z.string()),
  anchor: z.string().nullable(),
  symbol: z.string().nullable(),
  lines: z.object({ first: z.int(), last: z.int() }),
  sourceLines: z
    .object({ first: z.int(), last: z.int() })
    .optional()
    .describe('Of an HTML file: the lines of the HTML, where `lines` are those of the text'),
  tokens: z.int(),
  text: z.string(),
});

export type ChunkView = z.output<typeof ChunkView>;

const Analysis = z.object({
  section: z.string().nullable().describe('The part of its site that it belongs to'),
  keyPhrases: z.array(z.string()).describe('At most ten, the best first'),
});

const StoredAnalysis = z.object({
  meta: z.object({
    section: z.object({ label: z.string() }).nullable(),
    deepAnalysis: z.object({ keyPhrases: z.array(z.object({ phrase: z.string() })) }),
  }),
});

const ResponseMeta = z.object({
  status: z.int(),
  wireBytes: z.int().describe('As received, before decoding'),
  bodyBytes: z.int().describe('After decoding'),
  firstByteMs: z.int(),
  totalMs: z.int(),
  headers: z.record(z.string(), z.string()),
});

export const PageDetail = z.object({
  ...PageView.shape,
  source: z.string(),
  version: z.string(),
  description: z.string().nullable(),
  contentHash: z.string(),
  text: z.string().describe('The extracted document'),
  outline: z.array(z.object({ level: z.int(), text: z.string(), anchor: z.string().nullable(), line: z.int() })),
  chunkList: z.array(ChunkView).describe('Its chunks, in order'),
  metadata: z.record(z.string(), z.unknown()).describe('Other properties: page kind, timing'),
  responseMeta: ResponseMeta.nullable().describe('Metadata of the HTTP response; null for a local file'),
  renderedBy: z.string().nullable().describe('The browser that rendered it; null if it was stored as it was fetched'),
  aliases: z.array(z.string()).describe('Other URLs of the same page'),
  body: z
    .object({ encoding: z.string(), bytes: z.int() })
    .nullable()
    .describe('The stored response body; null if it is not stored'),
  links: z.array(z.object({ url: z.string(), text: z.string() })).describe('Outgoing links of its text'),
  analysis: Analysis.nullable().describe('What an analysis found; null before the first one'),
  found: z
    .object({
      by: z.string().describe(FOUND_BY),
      on: z.string().nullable().describe('The page that links to it'),
      depth: z.int(),
      attempts: z.int(),
      at: z.iso.datetime(),
    })
    .nullable(),
});

export type PageDetail = z.output<typeof PageDetail>;

export const showPage = action({
  name: 'show_page',
  summary: 'Show everything stored about a page',
  effect: 'read',
  input: z.strictObject(PAGE_REFERENCE),
  output: PageDetail,
  bindings: {
    cli: {
      command: 'page',
      group: 'inspect',
      positional: ['source', 'url'],
      example: 'pinakes page docs.example.dev https://docs.example.dev/guide',
    },
    http: { method: 'GET', path: '/sources/{source}/page' },
  },

  async run(reference, { store }) {
    const { source, version, page } = await resolvePage(store, reference);
    const chunks = (await store.pages.chunksOf(version.id, page.url)).map(chunkView);
    const sourceLines = readLinePairs(page.metadata['sourceLines'], chunks.length);
    const chunkList = chunks.map((chunk, at) => ({ ...chunk, ...(sourceLines && { sourceLines: sourceLines[at] }) }));
    const found = await discoveryOf(store, version, page.url);
    const aliases = (await store.pages.aliasesOf(version.id, page.url)).slice(0, MAX_ALIASES);
    const analysis = analysisView(await store.analysis.analysisOf(version.id, page.url));
    const about = { source: source.name, version: version.label, ...detailOf(page, source.kind) };
    return { ...about, aliases, chunkList, analysis, found };
  },
});

function analysisView(stored: JsonObject | null): PageDetail['analysis'] {
  const { data } = StoredAnalysis.safeParse(stored);
  if (data === undefined) return null;
  const { section, deepAnalysis } = data.meta;
  return { section: section?.label ?? null, keyPhrases: deepAnalysis.keyPhrases.map(({ phrase }) => phrase) };
}

function detailOf(
  page: StoredDocument,
  kind: SourceKind,
): Omit<PageDetail, 'source' | 'version' | 'chunkList' | 'analysis' | 'found' | 'aliases'> {
  const { url, description, contentHash, text, body } = page;
  return {
    ...pageView(page, kind),
    description,
    contentHash,
    text,
    outline: page.outline.map((entry) => ({ ...entry })),
    metadata: { ...page.metadata },
    responseMeta: ResponseMeta.safeParse(page.responseMeta).data ?? null,
    renderedBy: page.renderedBy,
    body: body === null ? null : { encoding: body.encoding, bytes: body.bytes.byteLength },
    links: pageLinks(text, url),
  };
}

export function chunkView({ id, passageKind, headings, anchor, symbol, lines, tokens, text }: StoredChunk): ChunkView {
  return { id, passageKind, headings: [...headings], anchor, symbol, lines, tokens, text };
}

async function discoveryOf(store: Store, version: Version, url: PageUrl): Promise<PageDetail['found']> {
  const located = await store.frontier.locate(version.id, url);
  if (located === null) return null;
  const { foundBy: by, parent: on, depth, attempts, enqueuedAt } = located;
  return { by, on, depth, attempts, at: enqueuedAt.toISOString() };
}
