// The files of the project that are pages of the site, with their order and URL. A file that is not listed is not on the site.

export interface SitePage {
  /** Relative to the root of the project. */
  readonly file: string;
  /** Its path on the site, without leading and trailing slashes; the front page is `index`. */
  readonly slug: string;
}

export interface SiteSection {
  readonly label: string;
  readonly pages: readonly SitePage[];
  /** Collapsed in the sidebar at first. */
  readonly collapsed?: boolean;
}

const docs = (...names: readonly string[]): SitePage[] => names.map((slug) => ({ file: `docs/${slug}.md`, slug }));

const inFolder = (folder: string, ...names: readonly string[]): SitePage[] =>
  docs(...names.map((name) => `${folder}/${name}`));

export const FRONT_PAGE: SitePage = { file: 'README.md', slug: 'index' };

/** Decisions are added from their folder. */
export const SITE_SECTIONS: readonly SiteSection[] = [
  {
    label: 'Getting started',
    pages: [
      ...docs('quick-start', 'quick-start-transcript'),
      ...inFolder('guides', 'install', 'assistant'),
      ...docs('concepts', 'dashboard'),
    ],
  },
  {
    label: 'Guides',
    pages: [
      ...inFolder('guides', 'crawling', 'private-docs', 'rendering', 'search', 'browser-mode'),
      ...docs('vectors'),
      ...inFolder('guides', 'http'),
      ...docs('typescript'),
      ...inFolder(
        'guides',
        'loader',
        'langchain',
        'llamaindex',
        'ai-sdk',
        'adapters',
        'add-a-format',
        'retrieval',
        'changes',
      ),
      ...inFolder('guides', 'ci', 'air-gapped', 'team', 'operating', 'upgrading', 'troubleshooting'),
    ],
  },
  {
    label: 'How it works',
    pages: [
      ...docs('how-crawling-works', 'extraction', 'how-search-works'),
      { file: 'ARCHITECTURE.md', slug: 'architecture' },
      ...docs('scale'),
      { file: 'SECURITY.md', slug: 'security' },
      ...docs('threat-model'),
    ],
  },
  {
    label: 'Reference',
    pages: [
      ...inFolder('reference', 'cli', 'config', 'http', 'mcp', 'typescript', 'actions', 'errors', 'events', 'outcomes'),
      ...docs('formats'),
      ...inFolder('reference', 'schema'),
    ],
  },
  {
    label: 'Extraction by example',
    collapsed: true,
    pages: inFolder('extraction', 'sphinx', 'vitepress', 'docusaurus', 'rustdoc', 'asciidoc', 'mediawiki'),
  },
  {
    label: 'Project',
    pages: [
      ...docs('comparison', 'benchmarks', 'dependencies'),
      { file: 'CHANGELOG.md', slug: 'changelog' },
      { file: 'CONTRIBUTING.md', slug: 'contributing' },
    ],
  },
];
