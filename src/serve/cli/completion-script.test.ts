import { execFileSync, spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { completionScript, SHELLS } from './completion-script.ts';

function program(): Command {
  const pinakes = new Command('pinakes').option('--server <url>');
  pinakes.command('search').summary("Find a person's passages: all").option('--limit <n>').option('--json');
  pinakes.command('serve').summary('Answer');
  const sources = pinakes.command('sources').summary('Definitions');
  sources.command('export').summary('Write').option('--out <file>');
  sources.command('import').summary('Read');
  return pinakes;
}

function completedBy(words: readonly string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `${completionScript(program(), 'bash')}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _pinakes; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

test.each([
  [
    ['pinakes', 'se'],
    ['search', 'serve'],
  ],
  [
    ['pinakes', 'sources', ''],
    ['export', 'import', '--help'],
  ],
  [
    ['pinakes', 'sources', 'export', '--'],
    ['--out', '--help'],
  ],
  [['pinakes', 'search', 'words', '--l'], ['--limit']],
])('bash completes %o', (words, expected) => {
  expect(completedBy(words)).toEqual(expected);
});

test.each(SHELLS)('the script for %s names every command and is one that the shell can read', (shell) => {
  const script = completionScript(program(), shell);
  for (const word of ['search', 'serve', 'export']) expect(script).toContain(word);
  const read = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
  // A shell that is not on this machine cannot say anything against it.
  expect(read.error === undefined ? read.stderr : '').toBe('');
});
