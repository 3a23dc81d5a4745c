// The shape of the code. Each rule is one sentence of ARCHITECTURE.md, and test/shape plants a violation of each.
const STAGES = 'fetch|parse|embed|store';
const CORE_PACKAGES =
  'zod|@noble/hashes|htmlparser2|dom[a-z-]*|entities|saxes|xmlchars|fflate|web-tree-sitter|tldts[a-z-]*';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', comment: 'types included', severity: 'error', from: {}, to: { circular: true } },
    { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'core-is-closed',
      comment: 'core/ runs in a browser: it imports itself and a short list of isomorphic packages',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: ['^src/core/', `^node_modules/(${CORE_PACKAGES})/`] },
    },
    {
      name: 'stages-do-not-meet',
      comment: 'a stage never imports another stage; operate/ puts them in order',
      severity: 'error',
      from: { path: `^src/(${STAGES})/` },
      to: { path: `^src/(${STAGES}|search|operate|actions|serve)/`, pathNot: '^src/$1/' },
    },
    {
      name: 'stages-know-no-composition',
      severity: 'error',
      from: { path: `^src/(${STAGES}|operate|search|actions|platform|core)/` },
      to: { path: ['^src/compose/', '^src/(main|program|index)[.]ts$'] },
    },
    {
      name: 'conductors-see-ports-only',
      severity: 'error',
      from: { path: '^src/(operate|search)/' },
      to: { path: `^src/(${STAGES})/`, pathNot: '^src/[^/]+/port[.]ts$' },
    },
    {
      name: 'conductors-know-no-door',
      severity: 'error',
      from: { path: '^src/(operate|search)/' },
      to: { path: '^src/(actions|serve)/' },
    },
    {
      name: 'actions-know-no-door',
      severity: 'error',
      from: { path: '^src/actions/' },
      to: { path: '^src/serve/' },
    },
    {
      name: 'doors-open-on-actions',
      comment: 'serve/ renders actions; it never reaches a stage or the database',
      severity: 'error',
      from: { path: '^src/serve/' },
      to: { path: `^src/(${STAGES}|operate|search)/` },
    },
    {
      name: 'platform-knows-no-product',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/', pathNot: '^src/(platform|core/model)/' },
    },
    {
      name: 'adapters-only-in-compose',
      severity: 'error',
      from: { path: '^src/', pathNot: [`^src/(${STAGES})/`, '^src/compose/', '[.]test[.]ts$'] },
      to: { path: `^src/(${STAGES})/`, pathNot: '^src/[^/]+/port[.]ts$' },
    },
    {
      name: 'web-uses-core-and-action-types',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/actions/'] },
    },
    {
      name: 'web-takes-only-types-from-actions',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/actions/', dependencyTypesNot: ['type-only'] },
    },
    // a heavy package lives behind one folder
    {
      name: 'pg-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/store/postgres/' },
      to: { path: '^node_modules/(@types/)?pg/' },
    },
    {
      name: 'sqlite-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/store/sqlite/' },
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
        'every outgoing connection passes the guard of fetch/; platform/config only asks what an address looks like',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(fetch|serve)/', '^src/platform/config/schema[.]ts$', '[.]test[.]ts$'] },
      to: { path: '^(node:)?(http|https|http2|net|tls|dgram)$' },
    },
    {
      name: 'browser-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/fetch/' },
      to: { path: '^node_modules/playwright-core/' },
    },
    {
      name: 'onnx-is-fenced',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/embed/' },
      to: { path: '^node_modules/(onnxruntime-|@huggingface/)' },
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
