// Says at the end of a run what the ids in the names of failed tests stand for.

import type { Reporter, TestModule } from 'vitest/node';
import { findings } from '../project/requirements/regressions.ts';
import { REQUIREMENTS } from '../project/requirements/requirements.ts';

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ...REQUIREMENTS.map(({ id, holds }) => [`[${id}]`, `the requirement that ${holds}`] as const),
  ...findings.map(({ id, fault }) => [`(finding ${id})`, `a fault that was fixed: ${fault}`] as const),
]);

/** `[L3]` or `(finding N7)`. */
const CITED = /\[[A-Z]\d{1,2}\]|\(finding [A-Z]\d+(?:\.\d+)?\)/g;

export function citedIds(names: readonly string[]): readonly string[] {
  const cited = new Set(names.flatMap((name) => name.match(CITED) ?? []));
  return [...cited].flatMap((id) => (MEANINGS.has(id) ? [`${id} is ${MEANINGS.get(id)}`] : [])).toSorted();
}

/** There the brackets hold ids of data/cases/faults.json. */
const OF_CASES = /\/faults?[\w-]*(?:\/|\.test\.ts$)/;

function failedNames(modules: readonly TestModule[]): readonly string[] {
  const citing = modules.filter(({ moduleId }) => !OF_CASES.test(moduleId));
  return citing.flatMap(({ children }) => [...children.allTests('failed')].map(({ fullName }) => fullName));
}

export function createCitedIdsReporter(print: (line: string) => void = console.log): Reporter {
  return {
    onTestRunEnd(modules) {
      const lines = citedIds(failedNames(modules));
      for (const line of lines) print(line);
      if (lines.length > 0) print('The lists are in test/project/requirements.');
    },
  };
}
