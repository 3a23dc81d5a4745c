// Problems that pages bring to light. Each names its host: one word for the whole host, with what to do next.

import { errorCatalogue } from '../core/model/errors.ts';
import { hostOf, type PageUrl } from '../core/model/page-url.ts';
import type { RunId } from '../core/model/run.ts';
import type { ReportProblem } from '../crawl/context/report-problem.ts';

interface About {
  readonly run: RunId;
  readonly url: PageUrl;
}

function ofHost({ run, url }: About) {
  return { run, scope: 'host', target: hostOf(url) } as const;
}

export async function reportRobots(about: About, because: string, report: ReportProblem): Promise<void> {
  await report({
    ...ofHost(about),
    kind: 'robots-unreachable',
    severity: 'error',
    message: `Its robots.txt cannot be read (${because}), so nothing of it is asked. Start the run again when the site is well`,
    details: { because },
  });
}

export async function reportGuard(about: About, rule: string, report: ReportProblem): Promise<void> {
  const next = errorCatalogue().find(({ code }) => code === 'fetch.blocked-address')?.next ?? '';
  await report({
    ...ofHost(about),
    kind: 'guard-refused',
    severity: 'error',
    message: `It may not be asked: ${rule}. ${next}`,
    details: { rule, url: about.url },
  });
}

export async function reportNeedsRendering(about: About, report: ReportProblem): Promise<void> {
  await report({
    ...ofHost(about),
    kind: 'needs-rendering',
    severity: 'warning',
    message: `Pages such as ${about.url} are empty until a browser runs their scripts, so they were left out. Look for an llms.txt or a Markdown edition of the site and add that`,
    details: { url: about.url },
  });
}
