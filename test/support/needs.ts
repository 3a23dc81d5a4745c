// Requirements of tests on the machine. If one is missing, the test is skipped, and the end of the run names the requirement.

import { spawnSync } from 'node:child_process';
import type { TestOptions } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** What the machine lacks; of a skipped test or suite. */
    needs?: string;
  }
}

/** Options of a test or a suite. */
export function needing(what: string, isPresent: boolean): TestOptions {
  return isPresent ? {} : { skip: true, meta: { needs: what } };
}

/** A program on the PATH, or the one that a variable names. */
export function needingProgram(program: string, packageName: string): TestOptions {
  const isPresent = spawnSync(program, ['--version']).status === 0;
  return needing(`${program} (Debian package ${packageName})`, isPresent);
}

export const LINUX = needing('Linux', process.platform === 'linux');
/** Other versions of Node are fetched for this one. */
export const LINUX_X64 = needing('Linux on x64', process.platform === 'linux' && process.arch === 'x64');
export const ROOT = needing('root', process.getuid?.() === 0);
