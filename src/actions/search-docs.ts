// Finds passages that answer a query.

import { z } from 'zod';
import { PASSAGE_KINDS } from '../core/model/chunk.ts';
import { PAGE_KINDS } from '../core/model/document.ts';
import { FILE_KINDS } from '../core/files/file-kind.ts';
import type { Store } from '../store/port.ts';
import { SourceReferences } from '../core/model/source-name.ts';
import { action } from './action.ts';
import { FileLink, withFileLink } from './support/file-link.ts';
import { IsImported } from './support/imported-page.ts';
import { InjectionFlags, withInjectionFlags } from './support/injection-flags.ts';
import { requirePath } from './support/outline-pages.ts';

const Passage = z.object({
  source: z.string(),
  version: z.string(),
  declaredVersion: z
    .string()
    .nullable()
    .describe('Version that the site declares for the documented product; null if none'),
  url: z.string(),
  link: FileLink,
  title: z.string(),
  headings: z.array(z.string()).describe('From the page title down to the passage'),
  lines: z.object({ first: z.int(), last: z.int() }),
  checkedAt: z.iso.datetime().describe('When the page was last confirmed current, or imported'),
  isImported: IsImported,
  chunkId: z.string().describe('The id of the passage'),
  text: z.string(),
  isPartial: z.boolean().describe('Whether the section has more text than this'),
  injectionFlags: InjectionFlags,
  explanation: z
    .object({
      page: z.record(z.string(), z.number()).describe('Score of the page, and what each signal contributed'),
      passage: z.record(z.string(), z.number()).describe('Score of the passage, and what each feature contributed'),
    })
    .optional()
    .describe('With `explain`'),
});

const IncompleteSource = z.object({
  source: z.string(),
  run: z.int(),
  pages: z.int().describe('Pages stored so far'),
  found: z.int().describe('URLs found so far'),
});

export const searchDocs = action({
  // A specification fixes the name of this tool.
  name: 'search_docs',
  summary: 'Find passages in the indexed documentation',
  effect: 'read',
  input: z.strictObject({
    query: z.string().trim().min(1).max(8192).describe('Keywords or a question'),
    source: SourceReferences.optional().describe('NAME or NAME@VERSION'),
    version: z.string().max(100).optional().describe('A version, a range such as ^3.2, or latest'),
    path: z.string().max(2000).optional().describe('Only pages whose path or URL starts with this'),
    passageKind: z.enum(PASSAGE_KINDS).optional().describe('Only passages of this kind'),
    pageKind: z.enum(PAGE_KINDS).optional().describe('Only pages of this kind'),
    fileKind: z.enum(FILE_KINDS).optional().describe('Only pages made from files of this kind'),
    heading: z.string().max(500).optional().describe('Only below a heading that starts with this'),
    symbol: z.string().max(500).optional().describe('Only symbols whose name starts with this'),
    limit: z.int().min(1).max(50).default(8).describe('Maximum number of passages'),
    budget: z.int().min(200).max(8000).default(2000).describe('Maximum tokens'),
    // A specification fixes this name; other lists have a cursor.
    offset: z.int().min(0).max(1000).default(0).describe('`nextOffset` of the previous result'),
    prefer: z
      .array(z.string().min(1))
      .max(20)
      .default([])
      .describe('Sources to rank higher, such as those that a project uses'),
    explain: z.boolean().default(false).describe('Show how each page and passage was scored'),
  }),
  output: z.object({
    mode: z.enum(['lexical', 'hybrid']).describe('lexical: keywords only; hybrid: keywords and vectors'),
    searched: z.array(z.string()).describe('All sources that were searched'),
    preferred: z.array(z.string()).describe('Those of them that were ranked higher'),
    passages: z.array(Passage),
    confidence: z.number().nullable().describe('Probability that the library answers the query'),
    isWeak: z.boolean().describe('Whether the passages are only the nearest ones'),
    tokens: z.int().describe('Of all passages with their headers'),
    nextOffset: z.int().nullable().describe('Offset of the next passages; null at the end'),
    corrections: z.array(z.object({ word: z.string(), correctedTo: z.array(z.string()).readonly() })),
    suggestions: z.array(z.string()).describe('Similar page titles, if nothing was found'),
    crawling: z
      .array(IncompleteSource)
      .describe('Sources of the search that are being crawled and not complete, if nothing was found'),
  }),
  bindings: {
    cli: {
      command: 'search',
      group: 'search',
      flags: ['project'],
      positional: ['query'],
      joinsWords: true,
      example: 'pinakes search connection pool',
    },
    http: { method: 'GET', path: '/search' },
    mcp: {
      title: 'Search documentation',
      description:
        'Search the documentation indexed for this user. Call it before you answer about or write code with an indexed library, instead of memory or the web. Returns the best sections; cite source, version and full URL#anchor. More: `offset`. Rest of a section (`… more`): read_docs with its URL#anchor.',
      tools: 'default',
      fixedInput: { explain: false, prefer: [], pageKind: undefined, fileKind: undefined },
      alwaysLoad: true,
    },
  },

  async run(input, { search, signal, store }) {
    const result = await search(input, signal);
    if (result.passages.length === 0 && result.searched.length > 0 && input.path !== undefined) {
      const { selectVersions } = await import('../search/search-sources.ts');
      await requirePath(store, await selectVersions(store, input), input.path);
    }
    const passages = result.passages.map((passage) => withFileLink(withInjectionFlags(passage)));
    return { ...result, passages, crawling: passages.length > 0 ? [] : await incompleteSources(store, input.source) };
  },
});

export type SearchResult = z.output<typeof searchDocs.output>;

async function incompleteSources(
  store: Store,
  references: string | readonly string[] | undefined,
): Promise<Array<z.output<typeof IncompleteSource>>> {
  const live = await store.runs.live();
  if (live.length === 0) return [];
  const [sources, stats] = await Promise.all([
    store.sources.byIds(live.map(({ source }) => source)),
    store.stats.versions(live.map(({ version }) => version)),
  ]);
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  const pagesOf = new Map(stats.map(({ version, pages }) => [version, pages]));
  const views = live.map(({ id, source, version, counts }) => {
    const { found } = counts;
    return { source: names.get(source) ?? '', run: id, pages: pagesOf.get(version) ?? 0, found };
  });
  // A run that has only begun has found nothing yet.
  const isMeant = (name: string): boolean =>
    references === undefined || [references].flat().some((one) => one === name || one.startsWith(`${name}@`));
  return views.filter(({ source, pages, found }) => isMeant(source) && pages < Math.max(found, 1));
}
