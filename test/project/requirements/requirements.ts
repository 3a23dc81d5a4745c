// The requirements that are implemented, by their ids. A test that demonstrates one
// cites its id in brackets in its name. An id that no test cites, or a cited id that is not listed, fails the suite.

export interface Requirement {
  readonly id: string;
  /** What is implemented. */
  readonly holds: string;
  /** What is not implemented yet; null if nothing is missing. */
  readonly lacks: string | null;
}

export const REQUIREMENTS: readonly Requirement[] = [
  {
    id: 'C1',
    holds:
      'code of every grammar is cut at its definitions; code whose grammar is missing is cut as text, and the run names the package to install',
    lacks: null,
  },
  { id: 'C2', holds: 'Markdown is split at headings, and every fence is balanced in every chunk', lacks: null },
  { id: 'C3', holds: 'JSON is split by its keys, code by its definitions, around what cannot be parsed', lacks: null },
  {
    id: 'C4',
    holds:
      'the letters of an HTML page are in its chunks in their order, and its scripts are not; chunks of an HTML file have the lines of the HTML',
    lacks: null,
  },
  {
    id: 'C5',
    holds: 'the same input has the same ids, in whatever order it comes, in Node and in a browser',
    lacks: null,
  },
  { id: 'C6', holds: 'every limit of a chunk, a file and a batch is a warning when it truncates', lacks: null },
  { id: 'C7', holds: 'chunking takes linear time on any input', lacks: null },
  {
    id: 'D1',
    holds:
      'llms.txt is fetched next to the start, then at the root, unless its URL is set; an HTML page does not count',
    lacks: null,
  },
  {
    id: 'D2',
    holds: 'llms-full.txt is split into its pages, each under its real URL; pages it covers are not fetched again',
    lacks: null,
  },
  {
    id: 'D3',
    holds: 'llms.txt, sitemaps and links add to one another, and each page remembers what found it',
    lacks: null,
  },
  {
    id: 'D4',
    holds: 'seeds have depth 0 and links are followed from them; a dead seed is one failed page',
    lacks: null,
  },
  { id: 'D5', holds: 'llms.txt and llms-full.txt are never documents', lacks: null },
  { id: 'D6', holds: 'the Markdown route of a host is chosen by probes before the first claim', lacks: null },
  { id: 'D7', holds: 'every request accepts Markdown', lacks: null },
  { id: 'D8', holds: 'sitemaps of robots.txt and the usual places are read, indexes too, within limits', lacks: null },
  { id: 'D9', holds: 'plan lists what would be accepted and excluded, by which rule, and stores nothing', lacks: null },
  { id: 'E1', holds: 'a bundle has the files and formats of its specification, and no other is imported', lacks: null },
  { id: 'E2', holds: 'the index id follows from paths and hashes, the same in a browser', lacks: null },
  { id: 'E3', holds: 'a bundle is imported back, with its vectors where the space is the same', lacks: null },
  {
    id: 'E4',
    holds: 'a local library is backed up while in use and restored; definitions of sources go through a file',
    lacks: null,
  },
  {
    id: 'E5',
    holds: 'llms.txt of a project is written from its index, and templates state what counts first',
    lacks: null,
  },
  {
    id: 'E6',
    holds:
      'a source is exported as Markdown files laid out like the site, as lines of JSON, as one text and as an agent skill, with the same bytes each time',
    lacks: null,
  },
  {
    id: 'E7',
    holds: 'a marked block for AGENTS.md names sources, versions and paths in 8 kB, and is updated in place',
    lacks: null,
  },
  {
    id: 'F1',
    holds:
      'robots.txt is fetched first and obeyed, its Crawl-delay too; noindex and nofollow are obeyed; the name we give has a contact',
    lacks: null,
  },
  {
    id: 'F2',
    holds:
      'each host has a pace that all processes keep between them: it starts at one request a second, ramps to five, backs off, and obeys Crawl-delay, Retry-After and what a source asks for',
    lacks: null,
  },
  { id: 'F3', holds: 'transient failures are retried, and a failing host has a circuit breaker', lacks: null },
  { id: 'F4', holds: 'validators are sent; a page behind a 304 counts as seen and its links as known', lacks: null },
  { id: 'F5', holds: 'time, bytes after decoding, redirects and rate are capped', lacks: null },
  {
    id: 'F6',
    holds: 'the SSRF guard checks every connection; only the settings of the operator allow non-public addresses',
    lacks: null,
  },
  { id: 'F7', holds: 'every charset becomes UTF-8', lacks: null },
  {
    id: 'F8',
    holds:
      'headers of a private source, with secrets by environment variable, go to its origin alone and are in no record',
    lacks: null,
  },
  { id: 'F9', holds: 'proxies and certificates by the standard variables serve every client', lacks: null },
  {
    id: 'F10',
    holds:
      'a page that is empty without a browser is rendered in one behind the address guard, or is a problem with a next step; the browser is recycled and killed with its tree. A browser elsewhere and a Crawl4AI server can render too',
    lacks: null,
  },
  {
    id: 'F11',
    holds: 'pages without content are not indexed; a run with too many failures aborts and removes nothing',
    lacks: null,
  },
  {
    id: 'H1',
    holds:
      'every action but those of the disk has HTTP routes, described by a valid OpenAPI 3.1 document; none answers 5xx to what its schema allows or refuses',
    lacks: 'analysis',
  },
  {
    id: 'H2',
    holds: 'health, readiness, the state of the system and metrics have routes, on workers too',
    lacks: null,
  },
  { id: 'H3', holds: 'tokens have a read or admin role, are hashed at rest, and are rate-limited', lacks: 'OAuth' },
  { id: 'H4', holds: 'pages are listed by kind, confidence and text, URLs by outcome, reason and text', lacks: null },
  {
    id: 'H5',
    holds:
      'llms.txt of the library, and llms.txt, llms-full.txt and pages of a source are served as text, with validators',
    lacks: null,
  },
  {
    id: 'I1',
    holds: 'the hash of the extracted text decides; an unchanged page costs one conditional request and no chunk',
    lacks: null,
  },
  { id: 'I2', holds: 'a changed page is replaced whole; chunks whose text stays keep their id', lacks: null },
  {
    id: 'I3',
    holds:
      'pages go by proof only, at the end of a whole and healthy run; a large share is held until the user confirms it',
    lacks: null,
  },
  {
    id: 'I4',
    holds:
      'incremental, refresh and full runs, each with its counts of new, changed, unchanged, removed, moved and failed',
    lacks: null,
  },
  {
    id: 'I5',
    holds:
      'pages that other versions of extractor or chunker made are reprocessed from their bodies, without the network',
    lacks: null,
  },
  {
    id: 'I6',
    holds:
      'a source may have an interval, with jitter; its run is started once when due, however many processes check; pages of a kind may be skipped for a while',
    lacks: null,
  },
  {
    id: 'K1',
    holds:
      'a list of URLs gives a list of the same length and order, with null and a reason for a failure, ids that depend on the URL, and flat metadata',
    lacks: null,
  },
  {
    id: 'K2',
    holds:
      'LangChain has a loader and a retriever, LlamaIndex readers and a retriever, the AI SDK two tools; Qdrant, JSONL and folders of Markdown are kept equal to a library',
    lacks: null,
  },
  {
    id: 'K3',
    holds: 'TEI, OpenAI and Ollama servers embed, with a circuit breaker and retries; one bad text fails alone',
    lacks: null,
  },
  {
    id: 'K4',
    holds:
      'a loader checks the health of its Crawl4AI server before a batch, prefers filtered Markdown, and gives chunks flat metadata',
    lacks: null,
  },
  {
    id: 'K5',
    holds:
      'openLibrary and connect have the same typed interface, derived from the actions; a program gets the same answers from both',
    lacks: null,
  },
  {
    id: 'K6',
    holds:
      'pages and chunk ids that are new, changed or removed are read in the order of the commits, from a saved position',
    lacks: null,
  },
  {
    id: 'L1',
    holds: 'folders, files, archives and checkouts are read by their ignore rules; no other interface accepts a path',
    lacks: null,
  },
  { id: 'L2', holds: 'the browser reads, searches and exports a folder without a server', lacks: null },
  {
    id: 'L3',
    holds:
      'reStructuredText, AsciiDoc, manual pages, DOCX, PPTX, ODT, EPUB and PDF are structured text, with includes of the same folder',
    lacks: null,
  },
  {
    id: 'M1',
    holds: 'an action has the same name on every interface; reading tools are on by default, the others are opt-in',
    lacks: null,
  },
  {
    id: 'M2',
    holds:
      'stdout carries JSON-RPC only; progress goes to clients that sent a token; a client on stdin leaves no process behind',
    lacks: null,
  },
  {
    id: 'M3',
    holds:
      'the list of tools is under 1,500 tokens, static, pinned, and in the subset of schemas that every client accepts',
    lacks: null,
  },
  {
    id: 'M4',
    holds: 'the text of an MCP result is Markdown with citations, and the instructions name what is indexed',
    lacks: null,
  },
  {
    id: 'R1',
    holds:
      'runs start, pause, resume and stop from any process, survive restarts and kill -9, and their history is stored',
    lacks: null,
  },
  {
    id: 'R2',
    holds:
      'a run ends in one state, with its counts by outcome and its grouped reasons; every accepted URL has one outcome',
    lacks: null,
  },
  {
    id: 'R3',
    holds: 'status and live progress show counts, rate, time left, and the rate and circuit breaker of each host',
    lacks: null,
  },
  {
    id: 'R4',
    holds:
      'every URL of a run is listed with its outcome and reason; events are read newest first, by kind, page by page, and dropped after their time',
    lacks: null,
  },
  {
    id: 'R5',
    holds: 'problems are stored with kind, severity, target and next step, and so are milestones',
    lacks: null,
  },
  {
    id: 'R6',
    holds:
      'one stream of events: snapshot, filter by run, resume from a number, the end replayed to late comers, bounded buffers',
    lacks: null,
  },
  {
    id: 'R7',
    holds: 'presets stand in a catalogue, and an operator adds their own',
    lacks: 'the preset that plans from hubs',
  },
  { id: 'R8', holds: 'SIGTERM ends a worker within 25 s with nothing held; SIGKILL loses nothing', lacks: null },
  {
    id: 'R9',
    holds: 'a run may be given a maximum age, for all pages or by kind, below which stored pages are not fetched again',
    lacks: null,
  },
  { id: 'S1', holds: 'include and exclude globs match in linear time and are validated on input', lacks: null },
  {
    id: 'S2',
    holds: 'a crawl stays in the folder of its start, on its host or in its domain, judged on the final URL',
    lacks: null,
  },
  { id: 'S3', holds: 'depth is unlimited unless set; a page limit counts stored pages, exactly', lacks: null },
  {
    id: 'S4',
    holds:
      'a scope may be overridden for one run, which leaves alone what lies outside it, and changed for good, which removes it at the next run',
    lacks: null,
  },
  {
    id: 'S5',
    holds: 'every refused URL is recorded with its rule and shown in status; a crawl that stores nothing says why',
    lacks: null,
  },
  {
    id: 'S6',
    holds:
      'parameters that count visitors are dropped, the rest stand in one order; a rule for a parameter keeps, drops or refuses it',
    lacks: null,
  },
  {
    id: 'S7',
    holds: 'redirects, rel=canonical, index files and identical content fold into one page with aliases',
    lacks: null,
  },
  { id: 'U1', holds: 'the quick start works from the package on a clean machine', lacks: null },
  {
    id: 'U2',
    holds:
      'add --wait shows progress: on a terminal, as a line every ten seconds elsewhere, or as JSON lines with --json; every command has --json; errors say what to do next; doctor names the missing part; config print shows origins',
    lacks: null,
  },
  { id: 'U3', holds: 'the dashboard shows and controls runs', lacks: null },
  {
    id: 'U4',
    holds: 'setup writes the configuration of eight assistants, with a preview and an undo',
    lacks: null,
  },
  {
    id: 'U5',
    holds:
      'quick start, guides, generated reference, architecture, scale, security and decisions are a site that publishes its own llms.txt',
    lacks: null,
  },
  {
    id: 'U6',
    holds: 'images, compose file, chart and unit are read by tests, and what they start is started without them',
    lacks: 'an image that was built',
  },
  { id: 'X1', holds: 'words, vectors and both answer, within filters', lacks: null },
  { id: 'X2', holds: 'search, read, outline and symbols answer from one library', lacks: null },
  { id: 'X3', holds: 'an answer keeps its budget and has at most three passages of a page', lacks: null },
  { id: 'X4', holds: 'results come from the requested version, never from another', lacks: null },
  { id: 'X5', holds: 'vectors are found within filters as without', lacks: null },
  { id: 'X6', holds: 'search needs no model and no key and states its mode', lacks: null },
  { id: 'Z1', holds: 'every case of the security lists is a test with its id in the name', lacks: null },
  { id: 'Z2', holds: 'what was fetched or imported stays data: on its line, without hidden characters', lacks: null },
  { id: 'Z3', holds: 'no secret of the settings is in logs, events, errors, answers or exports', lacks: null },
  { id: 'Z4', holds: 'no package of the default install has an install script or a native build', lacks: null },
];
