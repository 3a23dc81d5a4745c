// The fault of a plan, in one sentence that comes before everything else.

import { failureAdvice } from '../outcome/failure-advice.ts';

/** The part of a plan that decides. */
export interface CheckedPlan {
  readonly startUrl: string;
  readonly accepted: number;
  readonly excluded: ReadonlyArray<{ readonly rule: string; readonly example: string }>;
  readonly problems: readonly string[];
  readonly rendering: {
    readonly mode: string;
    readonly pages: ReadonlyArray<{ readonly url: string; readonly reason: string }>;
  };
}

export interface PlanVerdict {
  readonly title: string;
  readonly text: string;
  /** Whether nothing would be stored: then the source cannot be added. */
  readonly isBlocking: boolean;
}

/** Null if a crawl would find something to store. */
export function planVerdict(plan: CheckedPlan): PlanVerdict | null {
  const { startUrl, accepted, excluded, problems, rendering } = plan;
  const rule = excluded.find(({ example }) => example === startUrl)?.rule;
  if (accepted === 0) return excludedStart(startUrl, rule ?? 'no page was found');
  const reason = problems.find((problem) => problem.startsWith(`${startUrl}: `))?.slice(startUrl.length + 2);
  if (reason === undefined) return null;
  const isBlocking = accepted === 1;
  const isEmpty = rendering.pages.some((page) => page.url === startUrl && page.reason === 'empty');
  if (isEmpty) return isRendered(plan) ? null : { ...EMPTY_SHELL, isBlocking };
  return {
    title: 'The start page cannot be stored',
    text: sentence(failureAdvice(startUrl, reason) ?? reason),
    isBlocking,
  };
}

const EMPTY_SHELL = {
  title: 'The start page is empty without a browser',
  text: 'Its text appears only after its scripts have run. Set render.browser to a Chromium, or add the llms.txt or the Markdown of the site instead.',
};

function isRendered({ rendering }: CheckedPlan): boolean {
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
  if (rule.startsWith('usage-terms'))
    return {
      title: 'The site does not allow this use',
      text: `The rule is ${rule.slice(rule.indexOf(':') + 1).trim()}. Pinakes follows the terms of use in robots.txt. Ask the owner of the site; with the permission, set --ignore-terms.`,
      isBlocking: true,
    };
  return { title: 'Nothing would be crawled', text: sentence(rule), isBlocking: true };
}

/** A URL at its start is unchanged. */
function sentence(text: string): string {
  const capital = /^https?:/.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${capital}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
