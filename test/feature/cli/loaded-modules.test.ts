// What a command loads before it does anything. Every command pays for it, so the list of commands needs no schema, and a
// command only those of its own action.

import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** Prints the URL of each module to stderr. */
const PRINT_MODULES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) writeSync(2, url + '\\n');
      return next(url, context);
    },
  });
`)}`;

/** Paths in the project of everything that was loaded. */
function modulesOf(...args: readonly string[]): readonly string[] {
  const node = ['--import', PRINT_MODULES, join(ROOT, 'src/main.ts'), ...args];
  const script = '"$@" 2>&1 >/dev/null';
  const printed = execFileSync('bash', ['-c', script, 'bash', process.execPath, ...node], { encoding: 'utf8' });
  const urls = printed.split('\n').filter((line) => line.startsWith('file:'));
  return urls.map((url) => relative(ROOT, fileURLToPath(url)));
}

function packagesOf(modules: readonly string[]): readonly string[] {
  return [...new Set(modules.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? ''))].filter(
    Boolean,
  );
}

function actionsOf(modules: readonly string[]): readonly string[] {
  return modules.filter(
    (path) => /^src\/actions\/[^/]+$/.test(path) && !/\/(?:action|action-summary|summaries\.table)\.ts$/.test(path),
  );
}

test('help loads no action, no setting, and of packages only the parser of commands and the hash', () => {
  const modules = modulesOf('--help');
  expect(modules).toContain('src/actions/summaries.table.ts');
  expect(actionsOf(modules)).toEqual([]);
  expect(modules.filter((path) => path.startsWith('src/platform/config/'))).toEqual([]);
  expect(packagesOf(modules)).toEqual(['@noble/hashes', 'commander']);
});

test('the help of a command loads its own action, and nothing that opens a library', () => {
  const modules = modulesOf('search', '--help');
  expect(actionsOf(modules)).toEqual(['src/actions/search-docs.ts']);
  expect(
    modules.filter((path) => /^src\/(?:store|crawl|index|search|library)\/.*(?<!\.table)\.ts$/.test(path)),
  ).toEqual([]);
});
