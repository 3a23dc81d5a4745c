// Subjects of commits: `area: what changes`, at most 72 characters. Older history stays as it is.

import { execFileSync } from 'node:child_process';
import { report } from './rules/project-files.ts';

/** The last commit before the rule. */
const BEFORE = 'd06cb9b06df0eb0aa8a56ce822dc43561b8c4529';
const MAX_CHARS = 72;
const SUBJECT = /^[a-z][a-z0-9/,.-]*(?: [a-z]+)?: \S/;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

report(
  subjects().flatMap(([commit, subject]) => {
    if (subject.length > MAX_CHARS)
      return [`${commit}: ${subject.length} characters, at most ${MAX_CHARS}: ${subject}`];
    if (!SUBJECT.test(subject)) return [`${commit}: write "area: what changes": ${subject}`];
    return [];
  }),
);

function subjects(): ReadonlyArray<readonly [commit: string, subject: string]> {
  return log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

/** A shallow clone knows its newest commit only; a tree without history has none. */
function log(): string {
  for (const range of [[`${BEFORE}..HEAD`], ['-1']]) {
    try {
      return git('log', '--no-merges', '--format=%h %s', ...range);
    } catch {
      continue;
    }
  }
  return '';
}
