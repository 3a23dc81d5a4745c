// Every result in bench/results names the command that measured it and a commit that has this command; both still exist. Exceptions
// are in scripts/rules/old-results.table.ts.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { oldResults } from './rules/old-results.table.ts';
import { projectFiles, report } from './rules/project-files.ts';

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
]);

/** Null if the command can be run, here and at the commit. */
function faultOf(command: string, commit: string): string | null {
  const here = missing(command, existsSync, () => readFileSync('package.json', 'utf8'));
  if (here !== null || !hasHistory) return here;
  if (git('cat-file', '-e', `${commit}^{commit}`) === null) return `there is no commit ${commit}`;
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
