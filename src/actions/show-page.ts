// All that is known of one page: its document, its chunks with their ids, where it links to, and where it was found.

import { z } from 'zod';
import { inlineLinks } from '../core/discover/markdown/inline-links.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { Store, StoredChunk, StoredDocument, Version } from '../store/port.ts';
import { action } from './action.ts';
import { PageView, pageView } from './list-pages.ts';
import { onePage, WHICH_PAGE } from './support/resolve.ts';

const MOST_LINKS = 500;
const MOST_ALIASES = 100;

const ChunkView = z.object({
  id: z.string(),
  kind: z.string(),
  headings: z.array(z.string()),
  anchor: z.string().nullable(),
  symbol: z.string().nullable(),
  lines: z.object({ first: z.int(), last: z.int() }),
  tokens: z.int(),
  text: z.string(),
});

export type ChunkView = z.output<typeof ChunkView>;

const Arrival = z.object({
  status: z.int(),
  wireBytes: z.int().describe('As they came over the wire'),
  bodyBytes: z.int().describe('Decoded'),
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
  text: z.string().describe('The document'),
  outline: z.array(z.object({ level: z.int(), text: z.string(), anchor: z.string().nullable(), line: z.int() })),
  parts: z.array(ChunkView).describe('Its chunks, in order'),
  facts: z.record(z.string(), z.unknown()).describe('What was learnt beside the text: kind, timing'),
  arrival: Arrival.nullable().describe('How it came; null for what was read from a disk'),
  aliases: z.array(z.string()).describe('Other URLs that lead to it'),
  body: z
    .object({ encoding: z.string(), bytes: z.int() })
    .nullable()
    .describe('What was received, as it is kept; null where it is not'),
  links: z.array(z.object({ url: z.string(), text: z.string() })).describe('Where its text leads to'),
  found: z
    .object({
      by: z.string().describe('seed, llms-txt, llms-full, sitemap, link or known'),
      on: z.string().nullable().describe('The page that led to it'),
      depth: z.int(),
      attempts: z.int(),
      at: z.iso.datetime(),
    })
    .nullable(),
});

export type PageDetail = z.output<typeof PageDetail>;

export const showPage = action({
  name: 'show_page',
  summary: 'Show all that is known of one page',
  effect: 'read',
  input: z.strictObject(WHICH_PAGE),
  output: PageDetail,
  doors: {
    cli: {
      command: 'page',
      positional: ['source', 'url'],
      example: 'pinakes page docs.example.dev https://docs.example.dev/guide',
    },
    http: { method: 'GET', path: '/sources/{source}/page' },
  },

  async run(asked, { store }) {
    const { source, version, page } = await onePage(store, asked);
    const parts = (await store.pages.chunksOf(version.id, page.url)).map(chunkView);
    const found = await foundOf(store, version, page.url);
    const aliases = (await store.pages.aliasesOf(version.id, page.url)).slice(0, MOST_ALIASES);
    return { source: source.name, version: version.label, ...detailOf(page), aliases, parts, found };
  },
});

function detailOf(page: StoredDocument): Omit<PageDetail, 'source' | 'version' | 'parts' | 'found' | 'aliases'> {
  const { url, description, contentHash, text, body } = page;
  return {
    ...pageView(page),
    description,
    contentHash,
    text,
    outline: page.outline.map((entry) => ({ ...entry })),
    facts: { ...page.facts },
    arrival: Arrival.safeParse(page.arrival).data ?? null,
    body: body === null ? null : { encoding: body.encoding, bytes: body.bytes.byteLength },
    links: linksOf(text, url),
  };
}

function chunkView({ id, kind, headings, anchor, symbol, lines, tokens, text }: StoredChunk): ChunkView {
  return { id, kind, headings: [...headings], anchor, symbol, lines, tokens, text };
}

/** Each place once, in the order of the text. */
function linksOf(text: string, base: string): Array<{ url: string; text: string }> {
  const links = new Map<string, string>();
  for (const line of text.split('\n')) {
    for (const { target, text: words } of inlineLinks(line)) {
      const url = URL.canParse(target, base) ? new URL(target, base) : null;
      if (url === null || !/^(?:https?|file):$/.test(url.protocol)) continue;
      url.hash = '';
      if (url.href !== base && !links.has(url.href)) links.set(url.href, words);
      if (links.size >= MOST_LINKS) return [...links].map(([href, said]) => ({ url: href, text: said }));
    }
  }
  return [...links].map(([url, said]) => ({ url, text: said }));
}

async function foundOf(store: Store, version: Version, url: PageUrl): Promise<PageDetail['found']> {
  const located = await store.frontier.locate(version.id, url);
  if (located === null) return null;
  const { foundBy: by, parent: on, depth, attempts, offeredAt } = located;
  return { by, on, depth, attempts, at: offeredAt.toISOString() };
}
