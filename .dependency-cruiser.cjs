// The allowed imports. Each rule is one sentence of ARCHITECTURE.md, and test/project/architecture plants a violation of each.
const STAGES = 'fetch|render|parse|embed|index|store';
const CORE_PACKAGES =
  'zod|@noble/hashes|htmlparser2|dom[a-z-]*|entities|saxes|xmlchars|fflate|web-tree-sitter|tldts[a-z-]*|yaml|diff';

/** The contract of a stage, and what works over any adapter of it. */
const PORTS = ['^src/[^/]+/port[.]ts$', '^src/store/port/', '^src/fetch/follow-redirects[.]ts$'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', comment: 'types included', severity: 'error', from: {}, to: { circular: true } },
    { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'core-is-closed',
      comment: 'core/ runs in a browser: it imports only itself and a short list of isomorphic packages',
      severity: 'error',
      from: { path: '^src/core/', pathNot: ['[.]test[.]ts$', '^src/core/index[.]ts$'] },
      to: { pathNot: ['^src/core/', `^node_modules/(${CORE_PACKAGES})/`] },
    },
    {
      name: 'core-entry-is-closed',
      comment: 'the entry pinakes/core is core/, and the list of formats',
      severity: 'error',
      from: { path: '^src/core/index[.]ts$' },
      to: { pathNot: ['^src/core/', '^src/formats/formats[.]ts$'] },
    },
    {
      name: 'a-format-is-a-folder',
      comment: 'a format can be deleted with its folder and its name in a list: it imports core/ and itself alone',
      severity: 'error',
      from: { path: '^src/formats/([^/]+)/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: ['^src/core/', '^src/formats/$1/', '^node_modules/unpdf/'] },
    },
    {
      name: 'formats-are-listed',
      comment: 'nothing but the lists of formats/ imports from the folder of a format',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: '^src/formats/' },
      to: { path: '^src/formats/[^/]+/' },
    },
    {
      name: 'formats-are-loaded-late',
      comment: 'what is known of a format before its first file imports its code only with import()',
      severity: 'error',
      from: { path: ['^src/formats/[^/]+[.]ts$', '/format[.]ts$'], pathNot: '[.]test[.]ts$' },
      to: { path: '^src/formats/', pathNot: ['^src/formats/[^/]+[.]ts$', '/format[.]ts$'], dynamic: false },
    },
    {
      name: 'stages-are-independent',
      comment: 'a stage never imports another stage; crawl/ wires them together',
      severity: 'error',
      from: { path: `^src/(${STAGES})/` },
      to: { path: `^src/(${STAGES}|search|crawl|library|actions|serve)/`, pathNot: '^src/$1/' },
    },
    {
      name: 'ports-are-contracts',
      comment: 'what two stages agree on is about nouns of core/, and knows neither of them',
      severity: 'error',
      from: { path: '^src/ports/' },
      to: { pathNot: ['^src/ports/', '^src/core/'] },
    },
    {
      name: 'only-entry-points-import-compose',
      severity: 'error',
      from: { path: `^src/(${STAGES}|crawl|library|search|actions|platform|core)/` },
      to: { path: ['^src/compose/', '^src/(main|start|program|index)[.]ts$'] },
    },
    {
      name: 'compose-knows-no-command-line',
      comment: 'a process without a command line is composed too; program.ts starts the command line',
      severity: 'error',
      from: { path: '^src/compose/' },
      to: { path: '^src/serve/cli/' },
    },
    {
      name: 'use-cases-import-ports-only',
      comment: 'crawl/, library/ and search/ see the ports of the stages, never an adapter',
      severity: 'error',
      from: { path: '^src/(crawl|library|search)/' },
      to: { path: `^src/(${STAGES})/`, pathNot: PORTS },
    },
    {
      name: 'use-cases-do-not-import-interfaces',
      severity: 'error',
      from: { path: '^src/(crawl|library|search)/' },
      to: { path: '^src/(actions|serve)/' },
    },
    {
      name: 'actions-do-not-import-interfaces',
      severity: 'error',
      from: { path: '^src/actions/' },
      to: { path: '^src/serve/' },
    },
    {
      name: 'interfaces-import-actions-only',
      comment: 'serve/ exposes actions; it never imports a stage or the database',
      severity: 'error',
      from: { path: '^src/serve/' },
      to: { path: `^src/(${STAGES}|crawl|library|search)/` },
    },
    {
      name: 'platform-is-generic',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/', pathNot: ['^src/(platform|core/model|core/text)/', '^src/core/[^/]+[.]ts$'] },
    },
    {
      name: 'adapters-only-in-compose',
      severity: 'error',
      from: { path: '^src/', pathNot: [`^src/(${STAGES})/`, '^src/compose/', '[.]test[.]ts$'] },
      to: { path: `^src/(${STAGES})/`, pathNot: PORTS },
    },
    {
      name: 'web-uses-core-and-action-types',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/formats/', '^src/actions/'] },
    },
    {
      name: 'web-takes-only-types-from-actions',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/actions/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-is-closed',
      comment: 'client/ runs in a browser: it imports itself, the errors of core/ and the types of actions',
      severity: 'error',
      from: { path: '^src/client/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: ['^src/client/', '^src/core/model/errors([.]table)?[.]ts$'], dependencyTypesNot: ['type-only'] },
    },
    // a heavy package is imported in one folder only
    {
      name: 'pg-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/store/postgres/' },
      to: { path: '^node_modules/(@types/)?pg/' },
    },
    {
      name: 'sqlite-is-fenced',
      severity: 'error',
      // A lock between processes is SQLite's.
      from: { path: '^src/', pathNot: '^src/(store/sqlite/|platform/file-lock\\.ts$)' },
      to: { path: '^(node:)?sqlite$' },
    },
    {
      name: 'mcp-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/serve/mcp/' },
      to: { path: '^node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'http-server-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/serve/http/' },
      to: { path: '^node_modules/(@?hono|@?fastify)' },
    },
    {
      name: 'http-client-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/fetch/' },
      to: { path: '^node_modules/undici/' },
    },
    {
      name: 'sockets-are-fenced',
      comment:
        'every outgoing connection passes the guard of fetch/, but those to the nodes that the operator names; platform/config only checks the form of an address',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(fetch|serve|index/qdrant)/', '^src/platform/config/fetch-settings[.]ts$', '[.]test[.]ts$'],
      },
      to: { path: '^(node:)?(http|https|http2|net|tls|dgram)$' },
    },
    {
      name: 'browser-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/render/' },
      to: { path: '^node_modules/playwright-core/' },
    },
    {
      name: 'onnx-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/embed/' },
      to: { path: '^node_modules/(onnxruntime-|@huggingface/)' },
    },
    {
      name: 'frameworks-are-fenced',
      comment: 'optional peers: only the entry for a framework loads its package',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/integrations/' },
      to: { path: '^node_modules/(@langchain|@llamaindex|ai)/' },
    },
    {
      name: 'integrations-are-entries',
      comment: 'nothing depends on the integration with a framework',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/integrations/' },
      to: { path: '^src/integrations/' },
    },
    {
      name: 'src-never-imports-test',
      severity: 'error',
      from: { path: '^src/', pathNot: '[.]test[.]ts$' },
      to: { path: '^(test|bench|scripts)/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
    doNotFollow: { path: 'node_modules' },
  },
};
