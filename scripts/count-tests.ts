// Prints "PASSED FAILED" for vitest's JSON report. A file that failed to load counts as one failure.

import { readFileSync } from 'node:fs';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly success: boolean;
  readonly testResults: ReadonlyArray<{
    readonly status: string;
    readonly assertionResults: ReadonlyArray<{ readonly status: string }>;
  }>;
}

const report = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Report;
const unread = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
).length;
const failed = report.numFailedTests + unread;
console.log(`${report.numPassedTests} ${failed === 0 && !report.success ? 1 : failed}`);
