// Every kind of problem that a run can report. docs/reference/outcomes.md is generated from it.

/** What a problem is about. */
type ProblemScope = 'page' | 'file' | 'host' | 'site' | 'run' | 'library';

export interface ProblemKindEntry {
  readonly scope: ProblemScope;
  readonly description: string;
}

export const problemKinds = {
  'blocked-address': { scope: 'host', description: 'The address guard refused a connection' },
  'blocked-subresource': { scope: 'host', description: 'The address guard refused what the scripts of pages load' },
  'host-failing': { scope: 'host', description: 'A host failed several times in a row and is suspended' },
  'host-throttled': { scope: 'host', description: 'A host asked for a slower rate' },
  'needs-rendering': { scope: 'host', description: 'Pages are empty until a browser runs their scripts' },
  'render-incomplete': { scope: 'host', description: 'Pages were still changing when they were stored' },
  'robots-simplified': {
    scope: 'host',
    description: 'robots.txt has too many wildcard rules, so some are obeyed more strictly',
  },
  'robots-unreachable': { scope: 'host', description: 'robots.txt cannot be read, so the host is not crawled' },
  'usage-terms': {
    scope: 'host',
    description: 'The terms of use in robots.txt do not allow pages as input of AI, so they were excluded',
  },
  'license-required': { scope: 'host', description: 'A host asks for a license before it sends pages' },
  'low-confidence': { scope: 'site', description: 'Many pages of a section are of an uncertain kind' },
  'missing-hub': { scope: 'site', description: 'A page that the site promises for one of its parts was not found' },
  'no-hubs-seeded': { scope: 'site', description: 'A plan found no page to begin with' },
  'planner-skipped-host': { scope: 'site', description: 'The host is not one that is planned' },
  'unknown-pattern': { scope: 'site', description: 'URLs match no pattern of the plan' },
  'llms-unread': { scope: 'site', description: 'An llms.txt cannot be read' },
  'markdown-poor': {
    scope: 'site',
    description: 'The Markdown of the site lacks text of its pages, so HTML is read instead',
  },
  'sitemap-unread': {
    scope: 'site',
    description: 'A sitemap cannot be read, or lists more pages than the run may store',
  },
  'include-refused': { scope: 'page', description: 'A file that a page includes was left out' },
  'line-cut': { scope: 'page', description: 'A line is too long for a chunk and was cut' },
  'too-many-chunks': {
    scope: 'page',
    description: 'A page has more chunks than the limit; the rest is not searchable',
  },
  'too-many-pages': { scope: 'page', description: 'A PDF has more pages than the limit; the rest was not read' },
  'ignore-file': { scope: 'file', description: 'A line of an ignore file is not supported' },
  'package-incomplete': { scope: 'file', description: 'Part of a package was not read' },
  'file-excluded': { scope: 'file', description: 'A file was excluded for its size' },
  'too-many-files': { scope: 'file', description: 'A folder has more files than the limit' },
  'coordinator-failed': { scope: 'run', description: 'The coordinator of the run failed; another worker takes over' },
  'database-timeout': { scope: 'run', description: 'The database took too long, and the run ended' },
  'grammar-missing': { scope: 'run', description: 'Code was cut as text because a grammar is not installed' },
  'hosts-down': { scope: 'run', description: 'All hosts of the run fail, and it ended early' },
  'intelligent-plan-failed': { scope: 'run', description: 'The plan failed, and the run continued without it' },
  'many-failures': { scope: 'run', description: 'Too many URLs failed, and the run ended early' },
  'no-progress': { scope: 'run', description: 'No URL was settled for too long, and the run ended early' },
  'page-limit': { scope: 'run', description: 'The run reached its page limit' },
  'prerequisites-missing': {
    scope: 'site',
    description: 'A whole domain is crawled before the milestones that should come first',
  },
  'removals-deferred': {
    scope: 'run',
    description: 'Missing pages were kept, because the run does not prove that they were deleted',
  },
  'run-crashed': { scope: 'run', description: 'The run was given up after repeated crashes' },
  'run-failed': { scope: 'run', description: 'Why the run failed' },
  'run-partial': { scope: 'run', description: 'Why the run is not complete' },
  'tag-moved': { scope: 'run', description: 'A git tag names another commit than before' },
  'time-limit': { scope: 'run', description: 'The run reached its time limit' },
  'url-limit': {
    scope: 'run',
    description: 'Pages link to more URLs than the run may have, so the other links were left out',
  },
  'disk-full': { scope: 'library', description: 'There is not enough disk space, and crawling is paused' },
} as const satisfies Record<string, ProblemKindEntry>;

export type ProblemKind = keyof typeof problemKinds;

export const PROBLEM_KINDS = Object.keys(problemKinds) as readonly ProblemKind[];
