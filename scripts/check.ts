// npm run check: every rule of the house, each by its own tool. All run; the exit code tells whether all held.

import { spawnSync } from 'node:child_process';

const checks: ReadonlyArray<readonly [name: string, command: string]> = [
  ['format', 'oxfmt --check'],
  ['lint', 'oxlint --type-aware --deny-warnings'],
  ['types', 'tsc -b'],
  ['shape', 'depcruise --config .dependency-cruiser.cjs src web'],
  ['unused', 'knip'],
  ['links', 'node scripts/check-links.ts'],
];

const failed: string[] = [];
for (const [name, command] of checks) {
  const started = performance.now();
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'held' : 'BROKEN'}  ${name}  ${seconds} s`);
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) console.error(`npm run check: ${failed.join(', ')} did not hold`);
process.exitCode = failed.length === 0 ? 0 : 1;
