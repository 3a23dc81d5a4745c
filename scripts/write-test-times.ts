// node scripts/write-test-times.ts REPORT…: fills the last column of the tables in test/README.md with the seconds that the tests of
// each folder took, from reports that PINAKES_TEST_REPORT=FILE npm test wrote. A folder of which a test file is in no report is left as
// it was.

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

interface Report {
  readonly testResults: ReadonlyArray<{ readonly name: string; readonly startTime: number; readonly endTime: number }>;
}

const PROJECT = join(import.meta.dirname, '..');
const README = join(PROJECT, 'test/README.md');
const ROW = /^(\| `([\w/-]+)` \|.*\| )[^|]*\|$/gm;

const secondsOf = new Map(
  process.argv.slice(2).flatMap((file) => {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    return testResults.map(
      ({ name, startTime, endTime }) => [relative(PROJECT, name), (endTime - startTime) / 1000] as const,
    );
  }),
);

/** Null if it has none, or not all of them were run. */
function secondsIn(folder: string): number | null {
  const root = existsSync(join(PROJECT, 'test', folder)) ? `test/${folder}` : folder;
  const seconds = globSync(`${root}/**/*.test.ts`, { cwd: PROJECT }).map((file) => secondsOf.get(file) ?? NaN);
  const sum = seconds.reduce((total, one) => total + one, 0);
  return Number.isNaN(sum) || seconds.length === 0 ? null : Math.ceil(sum);
}

const filled = readFileSync(README, 'utf8').replaceAll(ROW, (line, row: string, folder: string) => {
  const seconds = secondsIn(folder);
  return seconds === null ? line : `${row}${seconds} s |`;
});
writeFileSync(README, filled);
