// npm run test:guides: every `pinakes` command in the shell blocks of the documentation, page by page and in order, by a shell. Example
// hosts become a site, a forge and a registry on loopback; nothing else is changed.

import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitId, startForge, type Forge } from '../support/forge.ts';
import { createLocalFolder } from '../support/local-folder.ts';
import { startPackageRegistry, type PackageRegistry } from '../support/package-registry.ts';
import { MAIN } from '../support/program.ts';
import { installPackages } from '../support/project-folder.ts';
import { projectFiles, readProject } from '../support/project-files.ts';
import { readSnippets } from '../support/read-snippets.ts';
import { docPage, startDocSite, type DocSite } from '../support/scripted-site.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';
import { OTHER_SUITES, LIBRARIES } from './guide-commands.table.ts';

const run = promisify(execFile);

/** Addresses of examples that become the site. */
const HOSTS = /https:\/\/(?:docs\.example\.dev|docs\.corp\.example|handbook\.example\.com)|http:\/\/127\.0\.0\.1:4321/g;
const FORGE = /https:\/\/github\.com/g;
const PATHS = ['/', '/guide', '/guide/', '/handbook/', '/intro', '/page', '/pool', '/retry', '/v3/'];
const FOLDERS = ['docs', 'manuals', 'handbook', 'dist/site'];
const COMMIT = commitId('a');
const LOGIN = Buffer.from('x-access-token:secret').toString('base64');
const TEXT = `# Set a timeout\n\n${'Pass timeoutMs to one request, or to the client for all of them. '.repeat(20)}\n`;

const pages = projectFiles().filter((file) => /^docs\/(?:guides\/)?[\w-]+\.md$/.test(file));
const commands = pages.flatMap((page) => commandsOf(page).map((command) => ({ page, command })));
const programs = temporaryDirectory();
let site: DocSite;
let forge: Forge;
let registry: PackageRegistry;

beforeAll(async () => {
  const body = docPage('Guide', PATHS.slice(1));
  site = await startDocSite(Object.fromEntries(PATHS.map((path) => [path, body])));
  forge = await startForge();
  for (const [project, authorization] of [['fastify/fastify'], ['corp/handbook', `Basic ${LOGIN}`]] as const)
    forge.repositories[project] = {
      refs: { HEAD: COMMIT, 'refs/heads/main': COMMIT, 'refs/tags/v5.2.0': COMMIT },
      commits: { [COMMIT]: { files: { 'README.md': TEXT, 'docs/index.md': TEXT } } },
      ...(authorization !== undefined && { authorization }),
    };
  registry = await startPackageRegistry();
  for (const [name, versions] of [
    ['zod', ['3.25.1']],
    ['commander', ['14.0.3', '15.1.0']],
  ] as const)
    registry.packages[name] = Object.fromEntries(versions.map((version) => [version, packageFiles(name, version)]));
  writeFileSync(join(programs, 'pinakes'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  writeFileSync(join(programs, 'npx'), '#!/bin/sh\nexec "$@"\n');
  for (const name of ['pinakes', 'npx']) chmodSync(join(programs, name), 0o755);
}, 60_000);
afterAll(() => Promise.all([site?.close(), forge?.close(), registry?.close()]));

function packageFiles(name: string, version: string): Record<string, string> {
  return { 'package.json': JSON.stringify({ name, version }), 'README.md': TEXT };
}

/** Lines of shell blocks that begin with the program, variables before it included. */
function commandsOf(page: string): readonly string[] {
  return readSnippets(page, readProject(page))
    .filter(({ language, text }) => language === 'sh' && text.includes('\n'))
    .flatMap(({ text }) => text.replaceAll(/\\\n/g, ' ').split('\n'))
    .filter((line) => /^(?:[A-Z_]+=\S+ )*(?:npx )?pinakes /.test(line));
}

const isInOtherSuite = (command: string): boolean => OTHER_SUITES.some(([start]) => command.startsWith(start));

test('there are commands to run, and each exception is one of them', () => {
  expect(commands.filter(({ command }) => !isInOtherSuite(command)).length).toBeGreaterThan(60);
  const unused = OTHER_SUITES.filter(([start]) => !commands.some(({ command }) => command.startsWith(start)));
  expect(unused).toEqual([]);
});

test.each(pages.filter((page) => commandsOf(page).some((command) => !isInOtherSuite(command))))(
  '%s: its commands run as written',
  async (page) => {
    const setup = LIBRARIES[page] ?? [];
    const folder = createWorkFolder([...setup, ...commandsOf(page)].join('\n'));
    for (const command of setup) await type(command, folder);
    const failed: string[] = [];
    for (const command of commandsOf(page).filter((one) => !isInOtherSuite(one)))
      await type(command, folder).catch((error: Error) => failed.push(error.message));
    expect(failed).toEqual([]);
  },
);

/** The project of a reader: what the commands name, and no folder that they create. */
function createWorkFolder(typed: string): string {
  const folders = FOLDERS.filter((name) => typed.includes(`./${name}`));
  const folder = createLocalFolder({
    ...Object.fromEntries(folders.map((name) => [`${name}/index.md`, TEXT])),
    'runbooks.zip': zipSync({ 'index.md': strToU8(TEXT) }),
    'config.json': JSON.stringify({ crawl: { presets: { handbook: { preset: 'sitemap-only' } } } }),
    'urls.txt': `${site.origin}/pool\n`,
  });
  installPackages(folder, [
    { name: 'tiny', version: '1.0.0', files: { 'README.md': '# Tiny\n\nSet a body limit.\n' } },
  ]);
  return folder;
}

async function type(command: string, folder: string): Promise<void> {
  // The name of a source comes from its host, which loopback does not have.
  const isNamed = !/ add https:\/\//.test(command) || command.includes('--name');
  const name = /https:\/\/([\w.]+)/.exec(command)?.[1];
  const typed = `${command
    .replace(/\s+#.*/, '')
    .replaceAll(HOSTS, site.origin)
    .replaceAll(FORGE, forge.url)}${isNamed ? '' : ` --name ${name}`}`;
  const env = {
    // A bundle is imported on another machine.
    HOME: command.startsWith('pinakes import') ? join(folder, 'other') : folder,
    PINAKES_CONFIG: join(folder, 'config.json'),
    PINAKES_PARSE_TIMEOUT_MS: '120000',
    PATH: `${programs}${delimiter}${process.env['PATH']}`,
    PINAKES_OWNER_MODE: 'in-process',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_FETCH_ALLOW_PORTS: '1024-65535',
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_FETCH_SECRETS: `DOCS_TOKEN@${site.origin},FORGE_LOGIN@${forge.url}`,
    PINAKES_REGISTRY_NPM: `${registry.url}/npm`,
    DOCS_TOKEN: 'secret',
    FORGE_LOGIN: LOGIN,
  };
  await run('sh', ['-c', typed], { cwd: folder, env, timeout: 300_000 }).catch((error: Error & { stderr?: string }) => {
    throw new Error(`${command}: ${error.stderr ?? error.message}`, { cause: error });
  });
}
