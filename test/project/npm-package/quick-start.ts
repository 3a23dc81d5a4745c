// Runs the quick start as a new user would: the packed package, an empty home, no network except loopback. The transcript is what
// each command prints on stdout, with machine-dependent parts normalized.

import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from '../../support/packed-package.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { serveQuickStartSite } from '../../support/static-sites.ts';
import { catalogSession } from './catalog-session.ts';
import { projectSession } from './project-session.ts';

const run = promisify(execFile);

/** What README.md shows, between the lines of its fence. */
export const README_SESSION = /(?<=^```console\n)[\s\S]*?(?=^```$)/m;

const STEPS: ReadonlyArray<readonly [description: string, command: readonly string[]]> = [
  ['Add a site to the library.', ['add', 'http://127.0.0.1:8431/', '--name', 'courier', '--wait']],
  ['Search it.', ['search', 'how do I set a timeout', '--limit', '2']],
  ['List what the library holds.', ['list']],
  ['Show the pages and their headings.', ['outline', 'courier']],
  ['Show how an assistant would be configured.', ['setup', 'claude-code', '--dry-run']],
  ['Recrawl: nothing has changed, so nothing is written.', ['recrawl', 'courier', '--wait']],
];

/** The Markdown of docs/quick-start-transcript.md. */
export async function quickStartTranscript(): Promise<string> {
  const folder = realpathSync(temporaryDirectory());
  const home = installOnce(folder);
  const { port, close } = await serveQuickStartSite();
  const env = { HOME: home, PATH: process.env['PATH'] ?? '', PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8' };
  const parts: string[] = [HEAD];
  try {
    for (const [description, command] of STEPS) {
      const args = command.map((word) => word.replace(':8431', `:${port}`));
      const { stdout } = await run(join(home, 'node_modules/.bin/pinakes'), args, { env, cwd: home });
      const typed = command.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');
      parts.push(
        `${description}\n\n\`\`\`\`console\n$ npx pinakes ${typed}\n${normalize(stdout, home, port)}\n\`\`\`\``,
      );
    }
  } finally {
    await close();
  }
  parts.push(PROJECT_HEAD, ...(await projectSession(home)), CATALOG_HEAD, ...(await catalogSession(home)));
  return `${parts.join('\n\n')}\n`;
}

/** Runs the first commands of README.md as they are written, in an empty folder; returns the session that it shows. */
export async function readmeSession(readme: string): Promise<string> {
  const folder = realpathSync(temporaryDirectory());
  const home = installOnce(folder);
  const empty = realpathSync(temporaryDirectory());
  const [, block = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const commands = block.split('\n').flatMap((line) => /^npx pinakes (.*?)(?: +#.*)?$/.exec(line)?.[1] ?? []);
  const [shown = ''] = (README_SESSION.exec(readme)?.[0] ?? '').split('\n');
  let session = '';
  for (const command of [...commands, shown.replace('$ npx pinakes ', '')]) {
    const { stdout } = await run(join(home, 'node_modules/.bin/pinakes'), command.split(' '), {
      env: { HOME: home, PATH: process.env['PATH'] ?? '' },
      cwd: empty,
    });
    session = `${shown}\n${stdout.trimEnd().split('\n\n')[0]}\n`;
  }
  return session;
}

function normalize(text: string, home: string, port: number): string {
  return text
    .trimEnd()
    .replaceAll(`:${port}`, ':8431')
    .replaceAll(home, '/home/you')
    .replaceAll(process.execPath, '/usr/bin/node')
    .replaceAll(/ in \d+s$/gm, ' in 5s');
}

const HEAD = `# Quick-start transcript

\`node scripts/write-transcript.ts\` generated this page: it packed the program, installed it in an empty home, and ran each command
against a site of five pages on loopback. A test runs it again and compares. Paths, ports, dates and seconds are
normalized; loopback was opened with \`PINAKES_FETCH_ALLOW_CIDRS=127.0.0.0/8\`. The [quick start](quick-start.md) explains the commands.`;

const PROJECT_HEAD = `## A project

The project has two packages in \`node_modules\`, one of them without documentation.`;

const CATALOG_HEAD = `## A catalogue

The publisher built and signed \`public\` with the same program; its pin is shown as \`PIN\`. Nothing is downloaded.`;
