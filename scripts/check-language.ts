// Reports the wording and the identifiers of scripts/rules/dialect.table.ts, with what to write instead, beyond the budgets of
// scripts/rules/dialect-budgets.table.ts.

import { readFileSync } from 'node:fs';
import { dialectBudgets, MAX_BUDGET } from './rules/dialect-budgets.table.ts';
import { deniedIdentifiers, deniedPhrases, otherMeanings } from './rules/dialect.table.ts';
import { projectFiles, report } from './rules/project-files.ts';

/** Old decisions and the changelog keep their text; tests and their data must name old words. */
const NOT_PROSE = /^test\/data\/|\.test\.tsx?$|^docs\/decisions\/\d|^CHANGELOG\.md$|^docs\/site\/|^scripts\/rules\//;
const NOT_CODE = /^test\/data\/(?:golden|cases|corpora|quality\/baseline)\/|^scripts\/rules\/|^docs\//;

const denied = new Map(deniedIdentifiers);

const violations = [
  ...projectFiles('*.md', '*.ts', '*.tsx', 'web/*.html', 'packaging').flatMap((file) =>
    NOT_PROSE.test(file) ? [] : deniedWording(file),
  ),
  ...projectFiles('*.ts', '*.tsx').flatMap((file) => (NOT_CODE.test(file) ? [] : deniedNames(file))),
];
report([...budgetFaults(), ...overBudget(violations)]);

function budgetFaults(): string[] {
  const sum = dialectBudgets.reduce((total, { count }) => total + count, 0);
  return sum < MAX_BUDGET ? [] : [`scripts/rules/dialect-budgets.table.ts: ${sum} in all, at most ${MAX_BUDGET - 1}`];
}

/** All violations of a folder that has more than its budget; each begins with the path of its file. */
function overBudget(found: readonly string[]): readonly string[] {
  const within = dialectBudgets.filter(
    ({ under, count }) => found.filter((line) => line.startsWith(under)).length <= count,
  );
  return found.filter((line) => !within.some(({ under }) => line.startsWith(under)));
}

function deniedWording(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) =>
      deniedPhrases.flatMap(({ pattern, except, instead }) => {
        const [found] = pattern.exec(line) ?? [];
        if (found === undefined || except?.test(line)) return [];
        return [`${file}:${at + 1}: "${found}": write ${instead}`];
      }),
    );
}

function deniedNames(file: string): string[] {
  const code = readFileSync(file, 'utf8');
  const fine = otherMeanings.flatMap(({ words, files, about }) =>
    files?.test(file) === true || about?.test(code) === true ? words : [],
  );
  const found = new Map<string, string>();
  for (const [name] of withoutText(code).matchAll(/[A-Za-z_$][\w$]*/g)) {
    const word = wordsOf(name).find((part) => denied.has(part) && !fine.includes(part));
    if (word !== undefined) found.set(name, word);
  }
  return Array.from(
    found,
    ([name, word]) => `${file}: ${name}: "${word}" is not a term of the project; write ${denied.get(word)}`,
  );
}

/** `siteLore` and `SITE_LORE` are both `site` and `lore`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/);
}

/** Code without comments and texts; what stands inside `${}` counts as text, too. */
function withoutText(code: string): string {
  return code.replaceAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    (text) => (text.startsWith('/') ? '' : "''"),
  );
}
