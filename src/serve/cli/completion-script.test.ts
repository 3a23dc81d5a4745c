import { execFileSync, spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { completionScript, SHELLS } from './completion-script.ts';

function program(): Command {
  const pinakes = new Command('pinakes').option('--server <url>');
  pinakes.command('search').summary("Find a person's passages: all").option('--limit <n>').option('--json');
  pinakes.command('serve').summary('Answer');
  pinakes.command('outline').summary('List').argument('<source>').option('--path <p>');
  const sources = pinakes.command('sources').summary('Definitions');
  sources.command('export').summary('Write').option('--out <file>');
  sources.command('import').summary('Read');
  return pinakes;
}

/** A program of that name answers `list`. */
const LISTED = `pinakes() { echo '{"sources":[{"source":"npm:fastify","startUrl":"x"},{"source":"django"}]}'; }`;

function completedBy(words: readonly string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `${LISTED}\n${completionScript(program(), 'bash')}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _pinakes; printf '%s\\n' "\${COMPREPLY[@]}"`;
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
  [
    ['pinakes', 'outline', ''],
    ['--path', '--help', 'npm:fastify', 'django'],
  ],
  [['pinakes', 'outline', 'dj'], ['django']],
  [['pinakes', 'search', '--source', 'np'], ['npm:fastify']],
])('bash completes %o, names of sources included (finding T28)', (words, expected) => {
  expect(completedBy(words)).toEqual(expected);
});

test.each(SHELLS)('the script for %s names every command and is one that the shell can read', (shell) => {
  const script = completionScript(program(), shell);
  for (const word of ['search', 'serve', 'export']) expect(script).toContain(word);
  const read = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
  // A shell that is not on this machine cannot say anything against it.
  expect(read.error === undefined ? read.stderr : '').toBe('');
});
