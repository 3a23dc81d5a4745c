// The files of the project as the checks see them: tracked, or new and not ignored.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export function projectFiles(...patterns: readonly string[]): readonly string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file));
}

/** Prints what is wrong and sets the exit code. */
export function report(violations: readonly string[]): void {
  for (const line of violations) console.error(line);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
