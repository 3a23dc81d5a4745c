// Where a local file can be opened: its own URL is a path inside its folder, and opens nothing.

import { z } from 'zod';
import { dashboardPath } from '../../core/export/llms/served-path.ts';
import { isFileUrl } from '../../core/files/file-url.ts';

export const FileLink = z
  .string()
  .optional()
  .describe('Of a local file: its page in the dashboard, from the root of the server');

interface CitedPage {
  readonly source: string;
  readonly version: string;
  readonly url: string;
}

export function withFileLink<T extends CitedPage>(page: T): T & { link?: string } {
  return isFileUrl(page.url) ? { ...page, link: dashboardPath(page.source, page.version, page.url) } : page;
}
