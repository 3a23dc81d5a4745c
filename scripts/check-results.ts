// Every result in bench/results names the command that measured it and a commit that has this command; both still exist. Exceptions
// are in scripts/rules/old-results.table.ts. A number in the documentation next to a link to a result is in that result.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { oldResults } from './rules/old-results.table.ts';
import { projectFiles, report } from './rules/project-files.ts';

/** Decisions and the changelog keep the figures of their time; the others are generated from the results. */
const KEEPS_NUMBERS = /^docs\/(?:decisions\/\d|reference\/|benchmarks\.md)|^CHANGELOG\.md$/;
const GENERATED = /<!-- figures -->[\s\S]*?<!-- end of figures -->/;
const RESULT_LINK = /\]\([./]*bench\/results\/([\w-]+)\.json\)/g;
/** Units in which a measured number may be stated: percent, thousandths, thousands and millions. */
const UNITS = [1, 100, 1e3, 1e-3, 1e-6, 1e-9];

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
}

const hasHistory = git('rev-parse', '--is-shallow-repository') === 'false' && git('rev-parse', 'HEAD') !== null;

const wrong = new Map<string, string>();
for (const file of projectFiles('bench/results/*.json')) {
  const { command, commit } = JSON.parse(readFileSync(file, 'utf8')) as { command?: unknown; commit?: unknown };
  const reason =
    typeof command !== 'string' || typeof commit !== 'string' ? 'no command or commit' : faultOf(command, commit);
  if (reason !== null) wrong.set(basename(file, '.json'), reason);
}

report([
  ...Array.from(wrong, ([name, reason]) => ({ name, reason }))
    .filter(({ name }) => !oldResults.has(name))
    .map(
      ({ name, reason }) => `bench/results/${name}.json: ${reason}: measure it again, or delete it and what quotes it`,
    ),
  ...Array.from(oldResults.keys())
    .filter((name) => !wrong.has(name))
    .map((name) => `${name}: listed as an old result, and it is not one: remove it from the list`),
  ...projectFiles('*.md').flatMap((file) => (KEEPS_NUMBERS.test(file) ? [] : unbackedNumbers(file))),
]);

/** Null if the command can be run, here and at the commit. */
function faultOf(command: string, commit: string): string | null {
  const here = missing(command, existsSync, () => readFileSync('package.json', 'utf8'));
  if (here !== null || !hasHistory) return here;
  if (git('merge-base', '--is-ancestor', commit, 'HEAD') === null) return `${commit} is not in the history of HEAD`;
  const inCommit = (path: string): boolean => git('cat-file', '-e', `${commit}:${path}`) !== null;
  const there = missing(command, inCommit, () => git('show', `${commit}:package.json`) ?? '{}');
  return there === null ? null : `at ${commit} ${there}`;
}

/** What a command needs and does not exist. */
function missing(command: string, exists: (path: string) => boolean, manifest: () => string): string | null {
  const [, script] = /^npm run ([\w:-]+)/.exec(command) ?? [];
  if (script !== undefined) {
    const { scripts = {} } = JSON.parse(manifest()) as Manifest;
    return script in scripts ? null : `there is no script ${script}`;
  }
  const [, file] = /^node (\S+)/.exec(command) ?? [];
  if (file === undefined) return `"${command}" is not a command of the repository`;
  return exists(file) ? null : `there is no ${file}`;
}

/** What git prints, or null if it fails. */
function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

/** Numbers in a line, or in a table below a paragraph, whose linked results do not have them. */
function unbackedNumbers(file: string): string[] {
  const blocks = readFileSync(file, 'utf8')
    .replace(GENERATED, '')
    .split(/\n\s*\n/);
  return blocks.flatMap((block, at) => {
    const above = block.startsWith('|') ? linkedResults(blocks[at - 1] ?? '') : [];
    return block.split('\n').flatMap((line) => {
      const own = [...new Set(linkedResults(line))];
      const results = own.length > 0 ? own : above;
      if (results.length === 0) return [];
      const measured = results.flatMap((name) => numbersIn(readFileSync(`bench/results/${name}.json`, 'utf8')));
      return statedNumbers(line)
        .filter((stated) => !measured.some((number) => isSame(stated, number)))
        .map((stated) => `${file}: ${stated} is not in ${results.join(', ')}`);
    });
  });
}

function linkedResults(text: string): string[] {
  return Array.from(text.matchAll(RESULT_LINK), ([, name = '']) => name).filter((name) =>
    existsSync(`bench/results/${name}.json`),
  );
}

/** The numbers of a result, those inside texts included, and the lengths of its lists. Any digit may occur in a commit. */
function numbersIn(json: string): number[] {
  const visit = (value: unknown): number[] => {
    if (typeof value === 'number') return [value];
    if (typeof value === 'string') return Array.from(value.matchAll(/\d+(?:\.\d+)?/g), ([text]) => Number(text));
    if (typeof value !== 'object' || value === null) return [];
    return [...(Array.isArray(value) ? [value.length] : []), ...Object.values(value).flatMap(visit)];
  };
  return visit({ ...(JSON.parse(json) as object), commit: '', date: '' });
}

/** Without code, link targets and links that are labelled with the name of their result. */
function statedNumbers(line: string): string[] {
  const prose = line.replaceAll(/\[([\w-]+)\]\([^)]*\1\.json\)|`[^`]*`|\]\([^)]*\)/g, ' ');
  return Array.from(prose.matchAll(/(?<![\w.@])(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?!\w)/g), ([text]) => text);
}

function isSame(stated: string, measured: number): boolean {
  const decimals = stated.split('.')[1]?.length ?? 0;
  const number = Number(stated.replaceAll(',', ''));
  return UNITS.some((unit) => Math.abs(measured * unit - number) <= 0.5 * 10 ** -decimals + 1e-9);
}
