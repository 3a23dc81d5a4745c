// The fence that code is written in.

/** Longer than any run of backticks in the code, so that nothing in the code can close it. */
export function fenceFor(code: string): string {
  let longestRun = 2;
  if (code.includes('```')) for (const [run] of code.matchAll(/`{3,}/g)) longestRun = Math.max(longestRun, run.length);
  return '`'.repeat(longestRun + 1);
}
