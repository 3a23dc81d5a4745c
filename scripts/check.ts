// npm run check: runs every check, each with its own tool, two at a time. All of them run, and are printed in their order; the exit
// code says whether all passed.

import { spawn } from 'node:child_process';

const checks: ReadonlyArray<readonly [name: string, command: string]> = [
  ['format', 'oxfmt --check'],
  ['lint', 'oxlint --type-aware --deny-warnings'],
  ['types', 'tsc -b --checkers 1'],
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

/** Most checks use one processor. */
const AT_A_TIME = 2;

interface CheckResult {
  readonly output: string;
  readonly hasPassed: boolean;
  readonly seconds: number;
}

function run(command: string): Promise<CheckResult> {
  const started = performance.now();
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ output, hasPassed: code === 0, seconds: (performance.now() - started) / 1000 });
    });
  });
}

const results: CheckResult[] = [];
const failed: string[] = [];
let printed = 0;

/** Prints what has ended, up to the first that still runs. */
function print(): void {
  for (let result = results[printed]; result !== undefined; result = results[printed]) {
    const [name] = checks[printed]!;
    process.stdout.write(result.output);
    console.log(`${result.hasPassed ? 'passed' : 'FAILED'}  ${name}  ${result.seconds.toFixed(1)} s`);
    if (!result.hasPassed) failed.push(name);
    printed += 1;
  }
}

const waiting = checks.entries();

async function runWaiting(): Promise<void> {
  for (const [nth, [, command]] of waiting) {
    results[nth] = await run(command);
    print();
  }
}

await Promise.all(Array.from({ length: AT_A_TIME }, runWaiting));
if (failed.length > 0) console.error(`npm run check: ${failed.join(', ')} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
