// Hubs of eight sites, listed by hand from their folders and front pages: the pages that lead to a part of three pages or more. Paths are
// without extension, `index` and final slash. `parts` must be found; `inner` are parts of parts, which may be.

export interface ListedHubs {
  readonly parts: readonly string[];
  readonly inner: readonly string[];
}

const under = (folder: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `/${folder}/${name}`);
const paths = (names: string): readonly string[] => names.split(' ').map((name) => `/${name}`);

export const LISTED_HUBS: { readonly [site: string]: ListedHubs } = {
  aisdk: {
    parts: paths(
      'advanced agents ai-sdk-core ai-sdk-rsc ai-sdk-ui foundations getting-started migration-guides reference troubleshooting',
    ),
    inner: under('reference', 'ai-sdk-core ai-sdk-errors ai-sdk-rsc ai-sdk-ui'),
  },
  celery: {
    parts: paths('django getting-started history internals reference tutorials userguide'),
    inner: paths('_modules getting-started/backends-and-brokers internals/reference userguide/concurrency'),
  },
  django: {
    parts: paths('faq howto internals intro misc ref releases topics'),
    inner: [
      ...paths('_modules howto/deployment internals/contributing internals/contributing/writing-code'),
      ...under('howto/deployment', 'asgi wsgi'),
      ...under('ref', 'class-based-views contrib files forms models templates'),
      ...under('ref/contrib', 'admin gis gis/install postgres'),
      ...under('topics', 'auth class-based-views db db/examples forms http i18n testing'),
    ],
  },
  fastify: { parts: paths('Guides Reference'), inner: [] },
  glib: { parts: paths('gio glib gobject'), inner: [] },
  nextjs: {
    parts: paths('app pages architecture community'),
    inner: [
      ...under('app', 'api-reference getting-started guides'),
      ...under('pages', 'api-reference building-your-application getting-started guides'),
      ...under('app/api-reference', 'adapters cli components config directives file-conventions functions'),
      ...under(
        'app/api-reference',
        'config/next-config-js file-conventions/metadata file-conventions/route-segment-config',
      ),
      ...under('app/guides', 'client-side-data-fetching migrating testing upgrading'),
      ...under(
        'pages/api-reference',
        'adapters cli components config config/next-config-js file-conventions functions',
      ),
      ...under('pages/building-your-application', 'data-fetching rendering routing'),
      ...under('pages/guides', 'migrating testing upgrading'),
    ],
  },
  python: {
    parts: paths('c-api distutils extending faq howto library reference tutorial using whatsnew'),
    inner: [],
  },
  sqlalchemy: {
    parts: paths('changelog core dialects faq orm tutorial'),
    inner: paths('_modules orm/extensions orm/extensions/declarative'),
  },
};
