// Applies the terms of use in robots.txt to the pages of a source, unless its settings state that they are ignored.

import type { RobotsAccess } from '../../core/discover/robots/robots-access.ts';
import { statedTerms, usageVerdict } from '../../core/discover/robots/usage-terms.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import type { SourceSettings } from '../../core/model/source-settings.ts';
import { type ReportProblem, reportUsageTerms } from '../context/report-problem.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { RobotsCache } from '../politeness/robots-cache.ts';

export interface TermsExclusion {
  readonly reason: 'usage-terms';
  readonly rule: string;
}

/** Why the terms keep a page from being stored; null if they do not. */
export function termsExclusion(
  access: RobotsAccess,
  url: PageUrl,
  { ignoreTerms }: Pick<SourceSettings, 'ignoreTerms'>,
): TermsExclusion | null {
  if (ignoreTerms) return null;
  const verdict = usageVerdict(access, url);
  return verdict.allowed ? null : { reason: 'usage-terms', rule: verdict.rule };
}

/** What the terms mean for discovery: text that they exclude is not read from llms.txt and llms-full.txt either. */
export interface DiscoveryTerms {
  /** As they are shown; null if robots.txt cannot be read. */
  readonly usageTerms: readonly string[] | null;
  /** Whether the text at the URL may be read. */
  readonly isUsable: (url: PageUrl) => boolean;
}

/** `access`: robots.txt of the start URL, whose exclusion is reported. */
export async function readTerms(
  access: RobotsAccess,
  { startUrl, settings }: Pick<RunRules, 'startUrl' | 'settings'>,
  { run, robots, report }: { readonly run: RunId; readonly robots: RobotsCache; readonly report: ReportProblem },
): Promise<DiscoveryTerms> {
  const denied = termsExclusion(access, startUrl, settings);
  if (denied !== null) await reportUsageTerms({ run, url: startUrl }, denied.rule, report);
  return {
    usageTerms: statedTerms(access),
    isUsable: (url) => termsExclusion(robots.cached(url) ?? access, url, settings) === null,
  };
}
