// Runs that the user waited for, and plans, for a terminal.

import type { z } from 'zod';
import type { planSource } from '../../../actions/plan-source.ts';
import { pluralize } from '../../../core/text/plural.ts';
import { TERMINAL } from '../../text/readers.table.ts';
import { problemLines, runLines } from '../../text/run-text.ts';
import type { FollowedRun } from '../follow-run.ts';

/** With where to find details and, if interrupted, how it continues. */
export function renderFollowedRun(view: FollowedRun): string {
  const lines = [...runLines(view), ...problemLines(view.problems, TERMINAL), ...nextSteps(view)];
  return `${lines.join('\n')}\n`;
}

function nextSteps(view: FollowedRun): string[] {
  const { run, source, counts } = view;
  if (view.endedAt === null)
    return [
      view.continuesInBackground
        ? `  It continues in the background. Show it: pinakes status ${run}. Stop it: pinakes stop ${run}`
        : '  It is not finished. Continue it: pinakes worker',
    ];
  const { excluded, skipped, failed, new: added, changed, unchanged } = counts;
  if (view.state === 'failed' && added + changed + unchanged === 0)
    return [
      `  Details: pinakes status ${run}. Try again: pinakes recrawl ${source}. Remove it: pinakes remove ${source}`,
    ];
  const left = Object.entries({ excluded, skipped, failed }).flatMap(([outcome, count]) =>
    count > 0 ? [outcome] : [],
  );
  return left.length === 0 ? [] : [`  To see why URLs were ${left.join(' or ')}: pinakes status ${run}`];
}

const MAX_PLAN_PROBLEMS = 10;

type Plan = z.output<typeof planSource.output>;

const RENDER_REASONS: Readonly<Record<Plan['rendering']['pages'][number]['reason'], string>> = {
  empty: 'it is empty without a browser',
  route: 'its route is in the fragment',
  always: 'the mode is always',
};

function renderRendering({ mode, pages }: Plan['rendering']): string[] {
  if (pages.length === 0) return [];
  const heading = mode === 'never' ? 'Needs a browser, and is not rendered:' : 'Rendered in a browser:';
  return [heading, ...pages.map(({ url, reason }) => `  ${url}: ${RENDER_REASONS[reason]}`)];
}

const MAX_SECTIONS = 12;

function renderForecast(forecast: Plan['forecast']): string[] {
  if (forecast === null) return [];
  const { pages, low, high, sections, hubs } = forecast;
  const shown = sections.slice(0, MAX_SECTIONS).map(({ label, urls }) => `${label} (${urls})`);
  return [
    `The site has about ${pluralize(pages, 'page')} (${low} to ${high}).`,
    ...(shown.length === 0 ? [] : [`Sections: ${shown.join(', ')}`]),
    ...(hubs.length === 0 ? [] : ['First of all:', ...hubs.map((url) => `  ${url}`)]),
  ];
}

export function renderPlan(plan: Plan): string {
  const methods = Object.entries(plan.foundBy).map(([method, count]) => `${count} from ${method}`);
  const { verdict } = plan;
  const warning = verdict === null ? [] : [`${verdict.title}: ${verdict.text}`];
  if (verdict?.isBlocking === true) return [...warning, 'A crawl would store nothing.', ''].join('\n');
  const lines = [
    ...warning,
    `A crawl of ${plan.startUrl} starts with ${pluralize(plan.accepted, 'URL')}${methods.length > 0 ? `: ${methods.join(', ')}` : ''}.`,
    ...(plan.markdownRoute === null ? [] : [`Pages are fetched as Markdown (${plan.markdownRoute}).`]),
    ...plan.examples.map(({ url }) => `  ${url}`),
    ...(plan.accepted > plan.examples.length ? [`  and ${plan.accepted - plan.examples.length} more`] : []),
    ...(plan.excluded.length > 0 ? ['Excluded:'] : []),
    ...plan.excluded.map(({ rule, count, example }) => `  ${count} by ${rule}, such as ${example}`),
    ...renderRendering(plan.rendering),
    ...renderForecast(plan.forecast),
    ...plan.problems.slice(0, MAX_PLAN_PROBLEMS).map((problem) => `Problem: ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}
