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
      ...docs('quick-start', 'quick-start-transcript', 'concepts'),
      ...inFolder('guides', 'install', 'assistant'),
      ...docs('dashboard'),
    ],
  },
  {
    label: 'Guides',
    pages: [
      ...inFolder('guides', 'crawling', 'team', 'private-docs', 'ci', 'air-gapped'),
      ...docs('typescript'),
      ...inFolder('guides', 'loader', 'langchain', 'llamaindex', 'ai-sdk'),
      ...inFolder('guides', 'retrieval', 'changes', 'operating', 'upgrading'),
    ],
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
    pages: inFolder('reference', 'cli', 'config', 'http', 'mcp', 'actions', 'errors', 'events', 'typescript', 'schema'),
  },
  {
    label: 'Extraction by example',
    collapsed: true,
    pages: inFolder('extraction', 'sphinx', 'vitepress', 'docusaurus', 'rustdoc', 'asciidoc', 'mediawiki'),
  },
  {
    label: 'Project',
    pages: [
      { file: 'CHANGELOG.md', slug: 'changelog' },
      { file: 'CONTRIBUTING.md', slug: 'contributing' },
    ],
  },
];
