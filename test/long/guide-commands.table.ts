// Commands that the guides need before theirs, and commands that another suite runs.

const SITE = 'pinakes add https://docs.example.dev --wait';

/** Commands that make the library of a page's reader; a page that is not listed begins with an empty one. */
export const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'docs/guides/air-gapped.md': [SITE],
  'docs/guides/analysis.md': [SITE],
  'docs/guides/assistant.md': [SITE, 'pinakes add ./docs --name fastify'],
  'docs/guides/changes.md': [SITE],
  'docs/guides/operating.md': [SITE],
  'docs/guides/retrieval.md': [SITE],
  'docs/guides/search.md': ['pinakes add ./docs --name undici', 'pinakes add ./manuals --name fastify'],
  'docs/guides/team.md': [SITE],
  'docs/guides/troubleshooting.md': [SITE],
  'docs/how-crawling-works.md': [SITE],
  'docs/how-search-works.md': [SITE],
};

/** How a command begins, and where it is run instead. */
export const OTHER_SUITES: ReadonlyArray<readonly [start: string, where: string]> = [
  ['npx pinakes serve', 'a server: feature/http'],
  ['pinakes serve', 'a server: feature/http'],
  ['PINAKES_SERVE_HOST=', 'a server: feature/http'],
  ['pinakes worker', 'a worker: robustness/kills'],
  ['PINAKES_TOKEN=... pinakes mcp', 'a server: feature/mcp'],
  ['pinakes --server', 'a remote server: feature/cli'],
  ['pinakes changes --follow', 'never ends: feature/changes'],
  ['pinakes changes --since', 'never ends, or continues another library: feature/changes'],
  ['pinakes webhooks', 'a receiver: feature/changes'],
  ['pinakes models pull', 'a model: feature/embed'],
  ['pinakes fetch --file urls.txt --crawl4ai', 'a Crawl4AI server: feature/loader'],
  ['pinakes sink qdrant', 'Qdrant: feature/sinks'],
  ['pinakes install', 'a catalogue: feature/catalog'],
  ['pinakes catalog', 'a catalogue: feature/catalog'],
  ['pinakes ready', 'fails while a milestone is missing: feature/analysis'],
];
