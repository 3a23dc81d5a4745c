// Reports what a user should know about a run, once for each kind and target: a thousand pages with the same trouble are one
// problem, and cost one write.

import type { Journal, Problem } from '../../store/port.ts';

export type ReportProblem = (problem: Problem) => Promise<void>;

const REMEMBERED = 10_000;

export function createReportProblem(journal: Journal): ReportProblem {
  const told = new Set<string>();
  return async (problem) => {
    const name = `${problem.run} ${problem.kind} ${problem.target}`;
    if (told.has(name)) return;
    if (told.size >= REMEMBERED) told.clear();
    told.add(name);
    await journal.report(problem);
  };
}
