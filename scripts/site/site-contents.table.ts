// Which files of the project are pages of the site, in which order, and where. A page that is not here is not on the site.

export interface SitePage {
  /** From the root of the project. */
  readonly file: string;
  /** Its place on the site, without slashes at the ends; the front page is `index`. */
  readonly slug: string;
}

export interface SiteSection {
  readonly label: string;
  readonly pages: readonly SitePage[];
  /** Shown folded at first. */
  readonly folded?: boolean;
}

const docs = (...names: readonly string[]): SitePage[] => names.map((slug) => ({ file: `docs/${slug}.md`, slug }));

const below = (folder: string, ...names: readonly string[]): SitePage[] =>
  docs(...names.map((name) => `${folder}/${name}`));

export const FRONT_PAGE: SitePage = { file: 'README.md', slug: 'index' };

/** Decisions are added by their files. */
export const SITE_SECTIONS: readonly SiteSection[] = [
  {
    label: 'Begin',
    pages: [
      ...docs('quick-start', 'quick-start-transcript'),
      ...below('guides', 'install', 'assistant'),
      ...docs('dashboard'),
    ],
  },
  {
    label: 'Guides',
    pages: below(
      'guides',
      'crawling',
      'team',
      'private-docs',
      'ci',
      'air-gapped',
      'retrieval',
      'operating',
      'upgrading',
    ),
  },
  {
    label: 'How it works',
    pages: [
      { file: 'ARCHITECTURE.md', slug: 'architecture' },
      ...docs('extraction', 'vectors', 'formats', 'scale', 'comparison'),
      { file: 'SECURITY.md', slug: 'security' },
      ...docs('threat-model', 'dependencies'),
    ],
  },
  {
    label: 'Reference',
    pages: below('reference', 'cli', 'config', 'http', 'mcp', 'actions', 'errors', 'events', 'schema'),
  },
  {
    label: 'Extraction by example',
    folded: true,
    pages: below('extraction', 'sphinx', 'vitepress', 'docusaurus', 'rustdoc', 'asciidoc', 'mediawiki'),
  },
  {
    label: 'The project',
    pages: [
      { file: 'CHANGELOG.md', slug: 'changelog' },
      { file: 'CONTRIBUTING.md', slug: 'contributing' },
    ],
  },
];
