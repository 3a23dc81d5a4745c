// Every reason that a URL of a run can have for its outcome. A reason begins with one of these codes, or with a code of the
// error catalogue, and may continue with a detail: `max-depth: depth 3`. docs/reference/outcomes.md is generated from it.

import type { ErrorCode } from '../model/errors.ts';

export interface ReasonEntry {
  readonly description: string;
  /** Shown in place of the code where people read it; by default the reason is shown as it is. */
  readonly label?: string;
}

export const reasons = {
  // Excluded by a rule for URLs.
  asset: { description: 'A file of a type that is not supported, such as an image' },
  'bad-url': { description: 'Not a valid URL' },
  'discovery-file': { description: 'A file that discovery reads, such as llms.txt, and that is never a document' },
  duplicate: { description: 'Another form of a page that is crawled, such as its source file' },
  'max-depth': { description: 'More links away from the start than the maximum depth' },
  'out-of-scope': { description: 'Outside the scope, or excluded by an `include` or `exclude` pattern' },
  overflow: { description: 'The run has stored as many pages as it may' },
  'query-skip': { description: 'A query parameter whose URLs are not crawled' },
  'robots-disallow': { description: 'robots.txt disallows it' },
  'usage-terms': { description: 'The terms of use in robots.txt do not allow it as input of AI' },
  trap: { description: 'A crawler trap: a URL pattern that never ends, or a folder of near-duplicates' },
  // Excluded by a rule for files.
  'absolute-path': { description: 'An absolute path in an archive' },
  'bad-name': { description: 'A file name that is not valid on every system' },
  'batch-too-large': { description: 'The files of the source are larger together than the limit' },
  corrupt: { description: 'A damaged entry of an archive' },
  'duplicate-name': { description: 'The second entry of the same name in an archive' },
  encrypted: { description: 'An encrypted entry of an archive' },
  folder: { description: 'A folder where a file was expected' },
  'hard-link': { description: 'A file with several hard links, which may lie outside the folder' },
  hidden: { description: 'A hidden file or folder' },
  ignored: { description: 'An ignore file or a default rule matches it' },
  link: { description: 'A symbolic link' },
  'name-not-utf8': { description: 'A file name that is not valid UTF-8' },
  'outside-root': { description: 'A file outside the folder of the source' },
  'parent-path': { description: 'A path that leads out of its archive' },
  'special-file': { description: 'A device, a socket or another special file' },
  'too-deep': { description: 'More nested folders than the limit' },
  'too-large': { description: 'A file larger than the limit' },
  'too-long': { description: 'A path longer than the limit' },
  'unknown-method': { description: 'An entry of an archive with an unsupported compression method' },
  // Skipped: fetched, but without content.
  challenge: { description: 'A bot check', label: 'bot check' },
  consent: { description: 'A page that only asks about cookies', label: 'page that only asks about cookies' },
  login: { description: 'A login page', label: 'login page' },
  'near-empty': { description: 'A page with hardly any text', label: 'nearly empty page' },
  'needs-rendering': {
    description: 'A page that is empty until a browser runs its scripts',
    label: 'page that is empty without a browser',
  },
  noindex: { description: 'A page that asks not to be indexed', label: 'page that asks not to be indexed' },
  redirect: { description: 'A redirect that cannot be followed' },
  'redirect-stub': { description: 'A page that only leads elsewhere', label: 'page that only leads elsewhere' },
  'soft-404': { description: 'An error page with status 200', label: 'error page with status 200' },
  // Not found, missing or failed.
  status: { description: 'The site responds that it does not exist: `status 404` or `status 410`' },
  'no-such-file': { description: 'A file that is not in its folder, archive or bundle' },
  'unreadable-file': { description: 'A file that the system does not let the program read' },
  headers: { description: 'The headers of the source cannot be sent' },
  quarantined: { description: 'Its workers crashed again and again' },
  'robots-unreachable': { description: 'robots.txt cannot be read, so the host is not crawled' },
  shrunk: { description: 'Far less text than the stored page, which is kept' },
  'worker-lost': { description: 'Every worker that claimed it was lost' },
  // Dropped.
  aborted: { description: 'The run ended early' },
  'run-crashed': { description: 'The run was given up after repeated crashes' },
  stopped: { description: 'The run was stopped' },
  // Unchanged without a fetch.
  fresh: { description: 'Stored, and recent enough not to be fetched' },
} as const satisfies Record<string, ReasonEntry>;

export type ReasonCode = keyof typeof reasons | ErrorCode;

/** A code, and what is specific to the URL. */
export type Reason = ReasonCode | `${ReasonCode}: ${string}` | `status ${number}`;

/** What people read: the label of its code, or the reason itself if that has none. */
export function reasonLabel(reason: string): string {
  const entry: ReasonEntry | undefined = Object.hasOwn(reasons, reason)
    ? reasons[reason as keyof typeof reasons]
    : undefined;
  return entry?.label ?? reason;
}
