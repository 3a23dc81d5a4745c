// Where a local file can be opened: its own URL is a path inside its folder, and opens nothing.

import { z } from 'zod';
import { dashboardAddress } from '../../core/export/llms/page-address.ts';
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
  return isFileUrl(page.url) ? { ...page, link: dashboardAddress(page.source, page.version, page.url) } : page;
}
