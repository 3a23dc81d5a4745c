// Runs core over the inputs. The same file runs in each version of Node and, bundled, in a page.

import { core } from '../../../web/core-entry.ts';
import { describeChunks } from '../../support/describe-chunks.ts';
import type {
  CharactersInput,
  DocumentInput,
  EngineInput,
  EngineInputs,
  EngineOutput,
  LlmsFullInput,
  PageInput,
} from './engine-inputs.ts';

/** Small, so that even small golden files are split. */
const SMALL = { targetChars: 300, capChars: 500, maxChunks: 100 };

export async function engineOutputs({ inputs, queries, grammars }: EngineInputs): Promise<EngineOutput[]> {
  const chunkers = core.createChunkers(
    core.createGrammarLoader({
      runtime: async () => bytesOf(grammars.runtime),
      grammar: async (file) => (grammars.files[file] === undefined ? null : bytesOf(grammars.files[file])),
    }),
  );
  const registry = core.createExtractorRegistry(core.extractors);
  const entries: core.IndexEntry[] = [];
  const outputs: EngineOutput[] = [];
  for (const input of inputs) {
    const files = await outputOf(input, { registry, chunkers, entries });
    outputs.push({ name: input.name, files });
  }
  return [...outputs, { name: 'lexical', files: await libraryOutput(entries, queries) }];
}

interface EngineContext {
  readonly registry: core.ExtractorRegistry;
  readonly chunkers: core.Chunkers;
  /** Collects the chunks for the search index. */
  readonly entries: core.IndexEntry[];
}

async function outputOf(input: EngineInput, context: EngineContext): Promise<EngineOutput['files']> {
  switch (input.kind) {
    case 'page':
      return await pageOutput(input, context);
    case 'document':
      return await documentOutput(input, context);
    case 'llms-full':
      return llmsFullOutput(input);
    case 'encoding':
      return { 'text.json': JSON.stringify(core.decodeBody(bytesOf(input.body), input.label)) };
    case 'characters':
      return { 'tokens.txt': charactersOutput(input) };
  }
}

async function pageOutput(
  input: PageInput,
  { registry, chunkers, entries }: EngineContext,
): Promise<EngineOutput['files']> {
  const page = { url: core.pageUrl(input.url), mediaType: input.mediaType, body: bytesOf(input.body) };
  const { document, metadata } = registry.extract(page);
  const { text, ...rest } = document;
  await chunkers.prepare(document);
  const result = chunkers.chunk(document, core.bundleLimits);
  entries.push(...result.chunks.map((chunk) => ({ path: input.name, title: document.title, chunk })));
  return {
    'output.md': text,
    'output.json': `${JSON.stringify({ extractor: registry.choose(page).name, ...rest, metadata }, null, 2)}\n`,
    'verdict.json': JSON.stringify([
      core.pageVerdict({ document, metadata, headers: {} }),
      core.classifyPage(document),
      core.detectInjection(text),
    ]),
    'chunks.json': JSON.stringify(result),
  };
}

async function documentOutput(
  input: DocumentInput,
  { chunkers, entries }: EngineContext,
): Promise<EngineOutput['files']> {
  const { path, format, codeLanguage, text } = input;
  const document: core.Document = {
    url: core.pageUrl(`file:///${path}`),
    format,
    title: path,
    description: null,
    language: null,
    codeLanguage,
    canonical: null,
    text,
    outline: [],
    links: [],
  };
  await chunkers.prepare(document);
  const result = chunkers.chunk(document, SMALL);
  entries.push(...result.chunks.map((chunk) => ({ path, title: path, chunk })));
  return {
    'ids.json': JSON.stringify(result.chunks.map(({ id }) => id)),
    chunks: describeChunks(result),
    'joined.txt': core.joinChunks(result),
  };
}

function llmsFullOutput({ text, url, llmsTxt, pages }: LlmsFullInput): EngineOutput['files'] {
  const listed = llmsTxt === null ? [] : core.parseLlmsTxt(llmsTxt.text, core.pageUrl(llmsTxt.url)).links;
  const listedPages = [...listed, ...pages.map((page) => ({ url: core.pageUrl(page), title: null }))];
  const split = core.splitLlmsFull({ text, url: core.pageUrl(url), listed: listedPages });
  return { 'expected.json': `${JSON.stringify(split, null, 2)}\n` };
}

function charactersOutput({ first, last }: CharactersInput): string {
  const lines: string[] = [];
  for (let row = first; row <= last; row += ROW) {
    const characters = Array.from({ length: ROW }, (_, at) => String.fromCodePoint(row + at));
    const words = characters.map((character) => `a${character}b ${character}`).join(' ');
    const slugs = characters.map((character) =>
      core.chunkSlug({ symbol: null, jsonPath: null, headings: [`a${character}b`] }, ''),
    );
    lines.push(`${row.toString(16)} ${core.tokenize(words).join(' ')} ${slugs.join(' ')}\n`);
  }
  return lines.join('');
}

const ROW = 64;

const VERSION = 1 as core.VersionId;

async function libraryOutput(
  entries: readonly core.IndexEntry[],
  queries: readonly string[],
): Promise<EngineOutput['files']> {
  const pages = [...Map.groupBy(entries, ({ path }) => path)].map(([path, ofPage]) => {
    const chunks = ofPage.map(({ chunk }) => chunk);
    const url = core.pageUrl(`https://pages.test/${path}`);
    return { path, url, title: ofPage[0]?.title ?? '', pageKind: null, checkedAt: new Date(0), chunks };
  });
  const source = 1 as core.SourceId;
  const index = core.createMemoryIndex([{ id: VERSION, source, pages }]);
  const hits: unknown[] = [];
  for (const query of queries) {
    const results = await core.retrievePages(index, query, { versions: [VERSION], names: new Map() });
    const limits = { sources: [], budget: 2000, limit: 20, offset: 0, explain: true };
    hits.push({
      query,
      tokens: core.tokenize(query),
      hits: (await core.answerPassages(index, results, limits)).passages,
    });
  }
  const ordered = { entries: entries.toSorted(core.compareChunks) };
  return {
    'hits.json': JSON.stringify(hits),
    'outline.json': JSON.stringify(core.listOutline(ordered)),
    'symbols.json': JSON.stringify(core.listSymbols(ordered)),
  };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (octet) => octet.charCodeAt(0));
}
