// Parses a discovery file. One that cannot be parsed is a problem of the run, and discovery continues without it.

import { PinakesError } from '../../core/model/errors.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import { sleep } from '../../platform/clock.ts';

export interface ReadContext {
  readonly run: RunId;
  readonly report: ReportProblem;
  readonly signal: AbortSignal;
}

/** Such as `sitemap-unread`. */
export interface UnreadFile {
  readonly kind: 'sitemap-unread' | 'llms-unread';
  readonly url: PageUrl;
}

/** The parser has pages of other runs to do. */
const MAX_BUSY_TRIES = 30;
const BUSY_MS = 1000;

/** Null if it cannot be parsed: too large, too slow, or it took too much memory. */
export async function readOrReport<T>(
  { kind, url }: UnreadFile,
  { run, report, signal }: ReadContext,
  read: () => Promise<T>,
): Promise<T | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted || !(error instanceof PinakesError)) throw error;
      if (error.code === 'parse.busy' && tries < MAX_BUSY_TRIES) {
        await sleep(BUSY_MS, signal);
        continue;
      }
      const message = `it cannot be read, so the crawl continues without it: ${error.message}`;
      await report({ run, kind, severity: 'warning', scope: 'site', target: url, message, details: {} });
      return null;
    }
  }
}
