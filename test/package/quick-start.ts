// Plays the quick start as a new user would: the packed package, an empty home, no network but loopback. What each command
// says on stdout is the transcript; only what differs from machine to machine is written in one way.

import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPackage, packPackage, temporaryFolder } from './packed-package.ts';
import { serveQuickStartSite } from './quick-start-site.ts';

const run = promisify(execFile);

const STEPS: ReadonlyArray<readonly [says: string, command: readonly string[]]> = [
  ['A site comes into the library.', ['add', 'http://127.0.0.1:8431/', '--name', 'courier', '--wait']],
  ['A question finds its passages.', ['search', 'how do I set a timeout', '--limit', '2']],
  ['The library says what it holds.', ['list']],
  ['Its pages, by their headings.', ['outline', 'courier']],
  ['An assistant would be told like this.', ['setup', 'claude-code', '--dry-run']],
  ['Nothing has changed, so nothing is written.', ['recrawl', 'courier', '--wait']],
];

/** The Markdown of docs/quick-start-transcript.md. */
export async function quickStartTranscript(): Promise<string> {
  const folder = realpathSync(temporaryFolder());
  const home = installPackage(packPackage(folder).tarball, folder);
  const { server, port } = await serveQuickStartSite();
  const env = { HOME: home, PATH: process.env['PATH'] ?? '', PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8' };
  const parts: string[] = [HEAD];
  try {
    for (const [says, command] of STEPS) {
      const given = command.map((word) => word.replace(':8431', `:${port}`));
      const { stdout } = await run(join(home, 'node_modules/.bin/pinakes'), given, { env, cwd: home });
      const typed = command.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');
      parts.push(`${says}\n\n\`\`\`\`console\n$ npx pinakes ${typed}\n${likeAnywhere(stdout, home, port)}\n\`\`\`\``);
    }
  } finally {
    server.close();
  }
  return `${parts.join('\n\n')}\n`;
}

function likeAnywhere(text: string, home: string, port: number): string {
  return text
    .trimEnd()
    .replaceAll(`:${port}`, ':8431')
    .replaceAll(home, '/home/you')
    .replaceAll(process.execPath, '/usr/bin/node')
    .replaceAll(/ in \d+ s$/gm, ' in 5 s');
}

const HEAD = `# Quick start, as it happened

\`node scripts/write-transcript.ts\` wrote this page: it packed the program, installed it in an empty home, and gave each command
to it, with a site of five pages on loopback. A test plays it again and compares. Paths, ports and seconds are written in
one way; loopback was opened with \`PINAKES_FETCH_ALLOW_CIDRS=127.0.0.0/8\`. The [quick start](quick-start.md) explains the commands.`;
