// docs/reference/typescript.md: the interfaces of the package as they are declared, and what `pinakes/core` exports.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { page, table } from './markdown.ts';

const ROOT = join(import.meta.dirname, '../..');

const START = /^export (?:declare )?(?:async )?(?:interface|type|class|function\*?|const) (\w+)/;

/** Declarations by name, each with the comment above it. The formatter puts the end of one at the end of a line. */
function declarationsIn(file: string): ReadonlyMap<string, string> {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const found = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const name = START.exec(line)?.[1];
    if (name === undefined) continue;
    const end = endOf(lines, at);
    const begin =
      lines[at - 1]?.endsWith('*/') === true ? lines.findLastIndex((one, i) => i < at && one.startsWith('/**')) : at;
    found.set(name, lines.slice(begin, end + 1).join('\n'));
  }
  return found;
}

/** Where every bracket is closed again. */
function endOf(lines: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    for (const letter of line) depth += '{(['.includes(letter) ? 1 : '})]'.includes(letter) ? -1 : 0;
    if (depth === 0 && /[;}]$/.test(line)) return at;
  }
  return from;
}

function interfacesOf(file: string, ...names: readonly string[]): string {
  const declared = declarationsIn(file);
  const found = names.map((name) => {
    const declaration = declared.get(name);
    if (declaration === undefined) throw new Error(`${file} declares no ${name}`);
    return declaration.replace(/^export /m, '');
  });
  return `\`\`\`ts\n${found.join('\n\n')}\n\`\`\``;
}

/** The exports of core with the first sentence of their comments. */
function coreExports(): string[][] {
  const entry = readFileSync(join(ROOT, 'src/core/index.ts'), 'utf8');
  const files = globSync('src/{core,formats}/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const declared = new Map(files.map((file) => [file, declarationsIn(file)]));
  const rows: string[][] = [];
  for (const [, list = '', from = ''] of entry.matchAll(/export (?:type )?\{([^}]*)\} from '(\.[^']*)';/g)) {
    const inFile = declared.get(join('src/core', from));
    for (const one of list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')) {
      const name = one.replace(/^type /, '').replace(/ as .*/, '');
      rows.push([`\`${name}\``, from.replace(/^[./]+|\.ts$/g, ''), summaryOf(inFile?.get(name) ?? '')]);
    }
  }
  return rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

function summaryOf(declaration: string): string {
  const comment = /^\/\*\*((?:(?!\*\/|@example)[\s\S])*)/.exec(declaration)?.[1] ?? '';
  const text = comment
    .replaceAll(/^\s*\* ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (/^.*?[.:](?= |$)/.exec(text)?.[0] ?? text).replace(/[.:]$/, '').replaceAll('|', '\\|');
}

export function typescriptPage(): string {
  return page(
    'TypeScript',
    'The names of the package, as they are declared. [How to use them](../typescript.md). `ActionInput<Name>` and `ActionOutput<Name>` are the input and the output of an [action](actions.md).',
    '## openLibrary, of `pinakes`',
    '`openLibrary(options: LibraryOptions): Promise<Library>`',
    interfacesOf('src/compose/open-library.ts', 'CommonOptions', 'LibraryOptions', 'LogEntry'),
    '## connect, of `pinakes/client`',
    '`connect(options: ConnectOptions): Library`',
    interfacesOf('src/client/connect.ts', 'ConnectOptions'),
    '## Library',
    interfacesOf('src/client/library.ts', 'Library', 'Sources'),
    '## RunHandle',
    interfacesOf('src/client/run-handle.ts', 'RunHandle'),
    '## Options of a call',
    interfacesOf('src/client/transport.ts', 'CallOptions', 'EventOptions', 'CallAction'),
    '## loadPages, of `pinakes/loader`',
    '`loadPages(urls: readonly string[], options?: LoadOptions): Promise<Array<LoadedPage | null>>`',
    '`loadEach(urls: UrlList, options?: LoadOptions): AsyncGenerator<LoadResult>`',
    '`chunkPage(page: LoadedPage, options?: { targetChars?: number }): LoadedChunk[]`',
    '`documentId(url: string): string`',
    interfacesOf('src/compose/load-pages.ts', 'LoadOptions', 'LoadFailure', 'UrlList'),
    interfacesOf('src/library/load/load-batch.ts', 'LoadResult'),
    interfacesOf('src/library/load/loaded-page.ts', 'LoadedPage', 'PageMetadata'),
    interfacesOf('src/library/load/chunk-page.ts', 'LoadedChunk'),
    '## Frameworks: `pinakes/langchain`, `pinakes/llamaindex`, `pinakes/ai-sdk`',
    '`new PinakesLoader(urls: readonly string[], options?: LoadOptions)` and `new PinakesRetriever(fields: PinakesRetrieverFields)`, of `pinakes/langchain`',
    '`new PinakesReader(options?: LoadOptions)`, `new PinakesRetriever(options: RetrieverOptions)` and `Crawl4AIReader.open(options?: Crawl4AIReaderOptions): Promise<Crawl4AIReader>`, of `pinakes/llamaindex`',
    '`createTools(library: Library, options?: ToolOptions): LibraryTools`, of `pinakes/ai-sdk`',
    interfacesOf('src/integrations/search-passages.ts', 'RetrieverOptions', 'PassageMetadata'),
    interfacesOf('src/integrations/crawl4ai-reader.ts', 'Crawl4AIReaderOptions', 'Crawl4AIReader', 'UrlStore'),
    interfacesOf('src/integrations/ai-sdk.ts', 'ToolOptions', 'LibraryTool', 'LibraryTools'),
    '## createMcpServer, of `pinakes/mcp`',
    '`createMcpServer(library: Library, options?: McpOptions): McpServerFactory`',
    interfacesOf('src/serve/mcp/create-mcp-server.ts', 'McpOptions'),
    '## Contracts, of `pinakes/ports`',
    'Unstable before 1.0. `Parser`, `SearchIndex` and `Store` are types only; `openLibrary` accepts these two:',
    interfacesOf('src/fetch/port.ts', 'FetchRequest', 'FetchedPage', 'FetchOutcome', 'Fetcher'),
    interfacesOf('src/embed/port.ts', 'Role', 'EmbedOutcome', 'EmbedHealth', 'Embedder'),
    '## `pinakes/core`',
    table(['name', 'module', 'description'], coreExports()),
  );
}
