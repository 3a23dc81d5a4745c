// How a benchmark crawls a served site with a build of the program: from loopback, without a rate limit, in one process.

import { join } from 'node:path';

export function crawlArgs(checkout: string, url: string, preset: string): readonly string[] {
  return [join(checkout, 'dist/program/main.js'), 'add', url, '--wait', '--json', '--preset', preset];
}

export function crawlEnv(directory: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PINAKES_DATA_DIR: directory,
    PINAKES_OWNER_MODE: 'in-process',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_CRAWL_START_DELAY_MS: '0',
  };
}

/** Pages that were fetched and parsed; those that moved, are missing or failed do not count. */
export function pagesCrawled(stdout: string): number {
  const { counts } = JSON.parse(stdout) as { counts: Record<string, number> };
  return (counts['new'] ?? 0) + (counts['skipped'] ?? 0);
}
