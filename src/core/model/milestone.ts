// The milestones of crawls and analyses, with their texts. A specification fixes the names of the fields and of `seeds-prepared`.

import { pluralize } from '../text/plural.ts';
import { hostOf, type PageUrl } from './page-url.ts';
import type { RunId } from './run.ts';

export interface MilestoneReport {
  readonly kind: string;
  /** The host that it is about; `run` if it is about the run itself. */
  readonly scope: string;
  readonly target: string;
  readonly message: string;
  readonly details: MilestoneDetails;
}

type MilestoneDetail = string | number | boolean | null | readonly MilestoneDetail[] | MilestoneDetails;
export type MilestoneDetails = { readonly [name: string]: MilestoneDetail };

/** The first URLs of a site are in the queue. */
export function seedsPrepared(startUrl: PageUrl, urls: number): MilestoneReport {
  const message = `${pluralize(urls, 'URL')} of the site ${urls === 1 ? 'is' : 'are'} in the queue`;
  return { kind: 'seeds-prepared', scope: hostOf(startUrl), target: startUrl, message, details: { count: urls } };
}

/** The files of a folder are in the queue. */
export function filesListed(run: RunId, files: number): MilestoneReport {
  return { ...aboutRun(run, 'files-listed'), message: 'The files of the folder are in the queue', details: { files } };
}

/** The kind of the milestone that makes the next coordinator of an aborted run end it the same way. */
export const ABORTED = 'aborted';

export function runAborted(run: RunId, { kind, reason }: { readonly kind: string; readonly reason: string }) {
  return { ...aboutRun(run, ABORTED), message: 'The run ends early', details: { kind, reason } } as const;
}

function aboutRun(run: RunId, kind: string): Pick<MilestoneReport, 'kind' | 'scope' | 'target'> {
  return { kind, scope: 'run', target: `run ${run}` };
}
