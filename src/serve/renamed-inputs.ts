// Inputs and commands that 0.1 renamed before its release. Every interface rejects an old name with an error that names the
// new one.

import type { z } from 'zod';
import { RENAMED_CRAWL_SETTINGS, renamedKeysMessage } from '../platform/config/renamed-settings.ts';

type Renames = Readonly<Record<string, string>>;

/** By the name of the action. */
export const RENAMED_INPUTS: Readonly<Record<string, Renames>> = {
  add_source: RENAMED_CRAWL_SETTINGS,
  control_run: { wish: 'command' },
  create_token: { scope: 'role' },
  edit_source: RENAMED_CRAWL_SETTINGS,
  import_sources: RENAMED_CRAWL_SETTINGS,
  list_pages: { after: 'cursor', kind: 'pageKind' },
  list_urls: { after: 'cursor' },
  outline: { after: 'cursor' },
  plan_source: RENAMED_CRAWL_SETTINGS,
  recrawl_source: RENAMED_CRAWL_SETTINGS,
  search_docs: { kind: 'passageKind' },
};

export const RENAMED_COMMANDS: Renames = { linking: 'backlinks' };

/** The message for an input that has a new name; null for any other issue. */
export function renamedInputMessage(action: string, issue: z.core.$ZodIssue): string | null {
  return renamedKeysMessage(issue, RENAMED_INPUTS[action] ?? {});
}
