// A plan for a person at a terminal.

import type { z } from 'zod';
import type { planSource } from '../../../actions/plan-source.ts';

const SHOWN_PROBLEMS = 10;

export function renderPlan(plan: z.output<typeof planSource.output>): string {
  const ways = Object.entries(plan.foundBy).map(([way, times]) => `${times} by ${way}`);
  const lines = [
    `A crawl of ${plan.start} begins with ${plan.taken === 1 ? '1 URL' : `${plan.taken} URLs`}${ways.length > 0 ? `: ${ways.join(', ')}` : ''}.`,
    ...(plan.markdownRoute === null ? [] : [`Pages are read as Markdown (${plan.markdownRoute}).`]),
    ...plan.examples.map(({ url }) => `  ${url}`),
    ...(plan.taken > plan.examples.length ? [`  and ${plan.taken - plan.examples.length} more`] : []),
    ...(plan.refused.length > 0 ? ['Refused:'] : []),
    ...plan.refused.map(({ rule, times, example }) => `  ${times} by ${rule}, such as ${example}`),
    ...plan.problems.slice(0, SHOWN_PROBLEMS).map((problem) => `Problem: ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}
