// docs/reference/outcomes.md, from the tables of outcomes, reasons and problem kinds.

import { OUTCOME_LABELS } from '../../src/core/outcome/outcome-labels.table.ts';
import { problemKinds } from '../../src/core/outcome/problem-kinds.table.ts';
import { reasons } from '../../src/core/outcome/reasons.table.ts';
import { inCode, page, table } from './markdown.ts';

export function outcomesPage(): string {
  const outcomeRows = Object.entries(OUTCOME_LABELS).map(([name, { description }]) => [inCode(name), description]);
  const reasonRows = Object.entries(reasons).map(([code, { description }]) => [inCode(code), description]);
  const problemRows = Object.entries(problemKinds).map(([kind, { scope, description }]) => [
    inCode(kind),
    inCode(scope),
    description,
  ]);
  return page(
    'Outcomes, reasons and problems',
    `Every URL of a run gets one outcome. \`pinakes urls docs.example.dev --outcome failed\` lists those with one outcome, and \`pinakes status docs.example.dev\` counts their reasons.`,
    table(['outcome', 'meaning'], outcomeRows),
    `## Reasons\n\nA reason begins with one of these codes, or with a code of [the error catalogue](errors.md), and may continue with a detail after a colon.`,
    table(['code', 'meaning'], reasonRows),
    `## Problems\n\nWhat a person can act on. \`pinakes problems\` lists them with a message and a next step; the same kind and target in one run is one problem
with a count. The scope is the kind of its target.`,
    table(['kind', 'scope', 'meaning'], problemRows),
  );
}
