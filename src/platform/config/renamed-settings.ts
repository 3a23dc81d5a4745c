// Names that 0.1 changed before its release. An old name is an error that names the new one.

import type { z } from 'zod';

/** Settings by their path; the names of environment variables follow from it. */
export const RENAMED_SETTINGS: Readonly<Record<string, string>> = {
  'chunk.cap': 'chunk.maxChars',
  'chunk.localCap': 'chunk.fileMaxChars',
  'chunk.localTarget': 'chunk.fileTargetChars',
  'chunk.target': 'chunk.targetChars',
  'crawl.keepEventsDays': 'crawl.eventRetentionDays',
  'crawl.maxBytesInWork': 'crawl.maxInFlightBytes',
  'crawl.repeatSample': 'crawl.duplicateSample',
  'local.maxBatchBytes': 'files.maxSourceBytes',
  'local.maxFileBytes': 'files.maxFileBytes',
  'local.maxFiles': 'files.maxFiles',
  'local.refuseHardLinks': 'files.refuseHardLinks',
  'local.roots': 'files.roots',
  'serve.hosts': 'serve.allowedHosts',
  'serve.origins': 'serve.allowedOrigins',
};

/** Crawl settings of a source, of a run and of a preset. */
export const RENAMED_CRAWL_SETTINGS: Readonly<Record<string, string>> = {
  allow: 'include',
  block: 'exclude',
  breadth: 'scope',
};

/** The message for keys that have a new name; null for any other issue. */
export function renamedKeysMessage(issue: z.core.$ZodIssue, renames: Readonly<Record<string, string>>): string | null {
  if (issue.code !== 'unrecognized_keys') return null;
  const messages = issue.keys.flatMap((key) => {
    const renamed = renames[key];
    return renamed === undefined ? [] : [`${key} was renamed to ${renamed}`];
  });
  return messages.length === 0 ? null : messages.join('; ');
}
