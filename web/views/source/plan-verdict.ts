// What is wrong with a plan, or with the name it would be added under, in one sentence that comes before everything else.

import { failureAdvice } from '../../../src/core/discover/failure-advice.ts';
import { parsePageUrl } from '../../../src/core/model/page-url.ts';
import { sourceNameFromUrl } from '../../../src/core/model/source-name.ts';
import type { Plan, SourceHealth } from '../../api/responses.ts';

export interface PlanVerdict {
  readonly title: string;
  readonly text: string;
  /** Whether nothing would be stored: then the source cannot be added. */
  readonly isBlocking: boolean;
}

/** Null if a crawl would find something to store. */
export function planVerdict(plan: Plan): PlanVerdict | null {
  const { start, accepted, excluded, problems, rendering } = plan;
  const rule = excluded.find(({ example }) => example === start)?.rule;
  if (accepted === 0) return excludedStart(start, rule ?? 'no page was found');
  const reason = problems.find((problem) => problem.startsWith(`${start}: `))?.slice(start.length + 2);
  if (reason === undefined) return null;
  const isBlocking = accepted === 1;
  const isEmpty = rendering.pages.some(({ url, because }) => url === start && because === 'empty');
  if (isEmpty) return isRendered(plan) ? null : { ...EMPTY_SHELL, isBlocking };
  return {
    title: 'The start page cannot be stored',
    text: sentence(failureAdvice(start, reason) ?? reason),
    isBlocking,
  };
}

const EMPTY_SHELL = {
  title: 'The start page is empty without a browser',
  text: 'Its text appears only after its scripts have run. Set render.browser to a Chromium, or add the llms.txt or the Markdown of the site instead.',
};

function isRendered({ rendering }: Plan): boolean {
  return rendering.mode !== 'never';
}

const UNREADABLE_ROBOTS = /robots\.txt cannot be read \((.*)\)/;

function excludedStart(start: string, rule: string): PlanVerdict {
  const [, unreadable] = UNREADABLE_ROBOTS.exec(rule) ?? [];
  if (unreadable !== undefined) {
    const advice = failureAdvice(start, unreadable) ?? `robots.txt cannot be read: ${unreadable}`;
    return { title: 'The site cannot be reached', text: sentence(advice), isBlocking: true };
  }
  if (rule.startsWith('robots-disallow'))
    return {
      title: 'The site does not allow this crawl',
      text: `The rule is ${rule.slice(rule.indexOf(':') + 1).trim()}. Pinakes follows robots.txt. Start at another path, or ask the owner of the site.`,
      isBlocking: true,
    };
  return { title: 'Nothing would be crawled', text: sentence(rule), isBlocking: true };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

export interface ExistingSource {
  readonly source: string;
  /** Otherwise it only has the same start URL. */
  readonly isNameTaken: boolean;
}

/** The source that would be there twice, if there is one. */
export function existingSource(
  { url, name }: { readonly url: string; readonly name: string },
  sources: readonly SourceHealth[],
): ExistingSource | null {
  const start = parsePageUrl(url.trim());
  if (start === null) return null;
  const ownName = name.trim() === '' ? sourceNameFromUrl(start) : name.trim();
  const named = sources.find(({ source }) => source === ownName);
  if (named !== undefined) return { source: named.source, isNameTaken: true };
  const same = sources.find((one) => one.start === start);
  return same === undefined ? null : { source: same.source, isNameTaken: false };
}
