// A project as its developer would begin: sync, the configuration of an assistant, and the first answer, which the official MCP client asks
// for with the command that `setup` would write.

import { execFile, execFileSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProject, type InstalledPackage } from '../../support/project-folder.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const CLIENT = '@modelcontextprotocol/client@2.4.0';

const PACKAGES: readonly InstalledPackage[] = [
  {
    name: 'kettle',
    version: '2.1.0',
    files: {
      'README.md':
        '# Kettle\n\nBoils water.\n\n## Timeouts\n\nPass `timeout` to limit how long `boil()` waits, in seconds. The default is 30.\n',
      'docs/pressure.md': '# Pressure\n\nWater boils at 100 °C at one bar. Pass `bar` for another pressure.\n',
      'index.d.ts':
        '/** Boils water.\n * @param litres How much water there is.\n */\nexport declare function boil(litres: number, options?: { timeout?: number; bar?: number }): Promise<void>;\n',
      'test/boil.test.js': 'boil(1, { timeout: 1 });\n',
    },
  },
  { name: 'bare', version: '1.0.0', files: { 'dist/index.js': 'exports.a = 1;\n' } },
];

const CLIENT_PROGRAM = `
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const [command, project, query] = process.argv.slice(2);
const client = new Client({ name: 'first-answer', version: '1' });
await client.connect(new StdioClientTransport({ command, args: ['mcp', '--project', project], env: process.env, stderr: 'ignore' }));
const { content } = await client.callTool({ name: 'search_docs', arguments: { query } });
console.log(content.map(({ text }) => text).join('\\n'));
await client.close();
process.exit(0);
`;

/** Each command with what it prints, for a program that is installed in `home`. */
export async function projectSession(home: string): Promise<readonly string[]> {
  const project = realpathSync(createProject(PACKAGES));
  const program = join(home, 'node_modules/.bin/pinakes');
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' };
  const shown = (text: string): string =>
    text
      .trimEnd()
      .replaceAll(project, '/home/you/app')
      .replaceAll(home, '/home/you')
      .replaceAll(process.execPath, '/usr/bin/node')
      .replaceAll(/ in [\d.]+ s\b/g, ' in 1.0 s')
      .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '2026-01-01');
  const parts: string[] = [];
  for (const [description, command] of STEPS) {
    const { stdout } = await run(program, command, { env, cwd: project });
    parts.push(`${description}\n\n\`\`\`\`console\n$ npx pinakes ${command.join(' ')}\n${shown(stdout)}\n\`\`\`\``);
  }
  const { stdout } = await run(process.execPath, [join(installClient(), 'ask.mjs'), program, project, QUESTION], {
    env,
  });
  parts.push(
    `The official MCP client starts the server and asks “${QUESTION}”.\n\n\`\`\`\`markdown\n${shown(stdout)}\n\`\`\`\``,
  );
  return parts;
}

const QUESTION = 'how long does boil wait';

const STEPS: ReadonlyArray<readonly [description: string, command: readonly string[]]> = [
  ['Index the packages of a project, in its folder. Nothing is downloaded.', ['sync', '.']],
  ['Nothing has changed, so nothing is written.', ['sync', '.']],
  ['Show how an assistant would be limited to the project.', ['setup', 'claude-code', '--project', '.', '--dry-run']],
];

function installClient(): string {
  const folder = realpathSync(temporaryDirectory());
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  execFileSync('npm', ['install', ...options, CLIENT], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  writeFileSync(join(folder, 'ask.mjs'), CLIENT_PROGRAM);
  return folder;
}
