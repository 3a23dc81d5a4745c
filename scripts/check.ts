// npm run check: runs every check, each with its own tool. All of them run; the exit code says whether all passed.

import { spawnSync } from 'node:child_process';

const checks: ReadonlyArray<readonly [name: string, command: string]> = [
  ['format', 'oxfmt --check'],
  ['lint', 'oxlint --type-aware --deny-warnings'],
  ['types', 'tsc -b'],
  ['shape', 'depcruise --config .dependency-cruiser.cjs src web'],
  ['unused', 'knip'],
  // What only tests use is dead code too.
  ['tests-only', 'knip --production --include files,exports,nsExports'],
  ['links', 'node scripts/check-links.ts'],
  ['language', 'node scripts/check-language.ts'],
  ['glossary', 'node scripts/check-glossary.ts'],
  ['words', 'node scripts/print-words.ts --check'],
  ['sizes', 'node scripts/check-file-sizes.ts'],
  ['facts', 'node scripts/check-facts.ts'],
  ['results', 'node scripts/check-results.ts'],
  ['standalone', 'node scripts/check-standalone.ts'],
  ['commits', 'node scripts/check-commits.ts'],
];

const failed: string[] = [];
for (const [name, command] of checks) {
  const started = performance.now();
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'passed' : 'FAILED'}  ${name}  ${seconds} s`);
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) console.error(`npm run check: ${failed.join(', ')} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
